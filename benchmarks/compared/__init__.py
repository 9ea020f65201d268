"""latcover beside other programs: what is asked, who is asked, how it is measured, and the page of it."""
