"""What commands and the web app say, as plain data and as text."""
