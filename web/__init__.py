"""The page on the phone: one more display and four more buttons, and what needs a keyboard."""
