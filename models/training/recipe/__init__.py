"""The recipe of the shipped transformer models; README.md tells how its parts follow one another."""
