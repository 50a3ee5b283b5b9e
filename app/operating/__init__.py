"""Operating: how the installation is doing, what was done to it, and what is deleted in time. For admins alone."""
