include <puzzlecad.scad>
$plate_width = 180;
use_a = true;
burr_plate([[ "xxxx|x..x", "x..x|x..x" ]], $joint_inset = 0.05);
burr_piece(52);
module more(n = 3) { burr_plate([for (k = [1:n]) ["xx|.x"]]); }
if (use_a) burr_piece(["x{connect=mz+y+}x|x{connect=fz+y+}x"]); else more(n = 2);
