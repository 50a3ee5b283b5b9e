"""`python -m lectern_cli`."""

import sys

from lectern_cli.commands import main

sys.exit(main())
