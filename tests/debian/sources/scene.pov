#version 3.7;
global_settings { assumed_gamma 1.0 }
camera { location <0, 2, -6> look_at <0, 1, 0> }
light_source { <5, 10, -5> color rgb 1 area_light <1, 0, 0>, <0, 0, 1>, 4, 4 }
plane { y, 0 pigment { checker color rgb 1 color rgb 0.2 } finish { reflection 0.3 } }
#declare I = 0;
#while (I < 12)
sphere { <2 * cos(I), 1 + I / 12, 2 * sin(I)>, 0.6 pigment { color rgb <I / 12, 0.4, 0.8> } finish { reflection 0.4 phong 1 } }
#declare I = I + 1;
#end
