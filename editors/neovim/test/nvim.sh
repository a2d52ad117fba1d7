#!/bin/sh
# Runs Neovim 0.10 or later: the installed one, or a copy unpacked into a
# folder. Debian 12 only has 0.7. Debian 13's packages can be unpacked and run
# through their own loader and libraries.
#
# Nothing changes on the system: apt runs with a separate configuration, sources
# and state, so it still checks signatures and checksums. The mirror comes from
# the machine's sources; on other systems than Debian, it is Debian's own.
#
#   TURNWIRE_NVIM        the folder (default: ~/.cache/turnwire/nvim)
#   TURNWIRE_NVIM_SUITE  the Debian suite (default: trixie)
set -eu

# The nvim in PATH may be a wrapper that calls this script. In that case, report
# failure, or they would call each other forever.
if [ -n "${TURNWIRE_NVIM_ASKED:-}" ]; then
  exit 1
fi

recent() { # recent COMMAND: is it Neovim 0.10 or later?
  command -v "$1" >/dev/null 2>&1 &&
    TURNWIRE_NVIM_ASKED=yes "$1" --version 2>/dev/null | sed -n 's/^NVIM v\([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | {
      read -r major minor && { [ "$major" -gt 0 ] || [ "$minor" -ge 10 ]; }
    }
}

if recent nvim; then
  exec nvim "$@"
fi

fail() {
  echo "nvim.sh: $*" >&2
  exit 1
}

folder=${TURNWIRE_NVIM:-${XDG_CACHE_HOME:-$HOME/.cache}/turnwire/nvim}

install() {
  command -v apt-get >/dev/null || fail "no nvim >= 0.10 in PATH, and no apt to get one with: install Neovim 0.10 or later"
  suite=${TURNWIRE_NVIM_SUITE:-trixie}
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 2>/dev/null | sed -n 's/ Debian$//p' | sort -u | grep -v security | head -n 1)
  # Before the first "apt-get update", apt knows only addresses, no origins.
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sort -u | grep '/debian/*$' | head -n 1)
  mirror=${mirror:-http://deb.debian.org/debian}
  mkdir -p "$folder"
  work=$(mktemp -d "$folder/new.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$work/root"
  : > "$work/state/status"
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -e "$keys" ] || fail "$keys is missing: install debian-archive-keyring, or Neovim 0.10 or later"
  command -v dpkg-deb >/dev/null || fail "dpkg-deb is missing: install dpkg, or Neovim 0.10 or later"
  echo "deb [signed-by=$keys] $mirror $suite main" > "$work/sources.list"
  cat > "$work/apt.conf" <<EOF
Dir::State "$work/state";
Dir::State::status "$work/state/status";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
Acquire::Languages "none";
Debug::NoLocking "true";
EOF
  # In this state nothing is installed, so apt downloads the libraries too.
  {
    APT_CONFIG="$work/apt.conf" apt-get -q update &&
      APT_CONFIG="$work/apt.conf" apt-get -q -y --no-install-recommends --download-only install neovim
  } > "$work/log" 2>&1 || {
    cat "$work/log" >&2
    fail "could not download Neovim from $mirror"
  }
  for deb in "$work"/cache/archives/*.deb; do
    dpkg-deb --extract "$deb" "$work/root"
  done
  # The first one wins; a concurrent second one changes nothing.
  [ -e "$folder/root" ] || mv -T "$work/root" "$folder/root" 2>/dev/null || [ -e "$folder/root" ] || fail "could not move Neovim to $folder/root"
  rm -rf "$work"
  trap - EXIT
}

[ -e "$folder/root/usr/bin/nvim" ] || install

root=$folder/root
libraries=$(find "$root/usr/lib" "$root/lib" -maxdepth 2 -name 'lib*.so*' -exec dirname {} + 2>/dev/null | sort -u | paste -sd:)
loader=$(find "$root/usr/lib" "$root/usr/lib64" "$root/lib64" -maxdepth 2 -name 'ld-linux*.so.*' 2>/dev/null | head -n 1)
[ -n "$loader" ] || fail "$root has no loader: remove $folder and try again"

# Only the loader gets the library path. Programs that Neovim starts use the
# system's libraries.
export VIMRUNTIME="$root/usr/share/nvim/runtime"
exec "$loader" --library-path "$libraries" --argv0 nvim "$root/usr/bin/nvim" \
  --cmd "set runtimepath+=$root/usr/lib/nvim" "$@"
