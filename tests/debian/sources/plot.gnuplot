# A surface of many points, as a text file.
set terminal svg size 800,600 name "plot"
set output "plot.svg"
set isosamples 160
set hidden3d
splot sin(sqrt(x**2 + y**2)) * cos(x * y / 10)
