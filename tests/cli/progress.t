A run that lasts over a second shows its progress on a terminal, on one line, and clears it; nothing of it goes
to standard output.

  $ cat > slowly.py <<'END'
  > import os, pty, subprocess, sys, time
  > terminal, inside = pty.openpty()
  > stderr = inside if sys.argv[1] == "terminal" else subprocess.PIPE
  > process = subprocess.Popen(["pathspool", "pack", "-", "-o", "run.spool"], stdin=subprocess.PIPE,
  >                            stdout=subprocess.PIPE, stderr=stderr)
  > os.close(inside)
  > deadline = time.monotonic() + float(sys.argv[2])
  > while True:
  >     process.stdin.write(b"main B1 B2 E " * 20000)
  >     process.stdin.flush()
  >     if time.monotonic() >= deadline:
  >         break
  >     time.sleep(0.02)
  > process.stdin.close()
  > shown = b""
  > if sys.argv[1] == "terminal":
  >     try:
  >         while block := os.read(terminal, 65536):
  >             shown += block
  >     except OSError:
  >         pass
  > else:
  >     shown = process.stderr.read()
  > print("output:", process.stdout.read())
  > print("lines:", shown.count(b"\n"), "said what:", b"packing" in shown, "rewritten:", shown.count(b"\r") > 1)
  > print("status:", process.wait())
  > END
  $ python3 slowly.py terminal 2
  output: b''
  lines: 0 said what: True rewritten: True
  status: 0

Not if it is over sooner, and not where nobody looks.

  $ python3 slowly.py terminal 0
  output: b''
  lines: 0 said what: False rewritten: False
  status: 0
  $ python3 slowly.py pipe 2
  output: b''
  lines: 0 said what: False rewritten: False
  status: 0
