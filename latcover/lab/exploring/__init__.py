"""What people ask of shapes and their tilings: regions that copies form, common regions, rectangles, reptiles."""
