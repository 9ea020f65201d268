include <puzzlecad.scad>
$burr_scale = 20; /* mm */ $burr_inset = 0.1; $burr_bevel = 1;
*burr_plate([
    ["x.|xx", "..|.x"], ["x.|xx", "x.|.."], ["x.|xx", "..|x."],  // three
    ["xx|x."], ["xxx|.x."], ["xxx|x.."], ["xx.|.xx"],
]);
