"""What instructors do: write, prove and publish content. The only room that imports the others."""
