"""The commands of the command line, one small module for each group of them.

A command parses, calls and prints; it returns an exit code. Only `p2pjong.cli` exits. A module is
imported when its command runs, so that `p2pjong --help` stays quick.
"""
