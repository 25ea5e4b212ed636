"""The command line with this game beside the others."""

from p2pjong.cli import main

main()
