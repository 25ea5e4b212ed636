"""`python -m p2pjong` is `p2pjong`."""

from p2pjong.cli import main

if __name__ == "__main__":
    main()
