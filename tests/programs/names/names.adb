--  SPDX-License-Identifier: GPL-3.0-or-later
--  A package, a nested procedure and an overloaded name: what Ada encodes.
procedure Names is

   package Work is
      procedure Count (Turns : Integer);
   end Work;

   Sum : Integer := 0;
   pragma Volatile (Sum);

   package body Work is
      procedure Spin (Turns : Integer) is
      begin
         for I in 1 .. Turns loop
            Sum := (Sum + I) mod 1000;  --  LOOP
         end loop;
      end Spin;

      procedure Count (Turns : Integer) is
      begin
         for I in 1 .. Turns loop
            Spin (1_000_000);
         end loop;
      end Count;
   end Work;

begin
   Work.Count (300);
end Names;
