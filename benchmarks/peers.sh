#!/bin/sh
# Makes the environments of the peers, each in a folder of its own: from pip, and Debian's packages unpacked (as root or
# not, nothing is installed). llvm-reduce is the system's, of Debian's package llvm.
set -e
. "$(dirname "$0")/common.sh"
mkenv peers "$PY311" picire==21.8 lithium-reducer==4.0.0 chardet psutil pebble
mkenv pysource "$PY311" "pysource-minimize[cli]==0.10.1"

debian="$BENCH_ENV/debian"
mkdeb debian cvise creduce clang-format-13 libllvm13 libclang-cpp13 libexporter-lite-perl libfile-which-perl \
    libgetopt-tabular-perl libregexp-common-perl libterm-readkey-perl || echo "C-Vise and C-Reduce are left out: there is no apt here."
if [ -d "$debian/usr" ]; then
    mkdir -p "$debian/bin"
    sed -i "s#q{/usr/#q{$debian/usr/#" "$debian/usr/share/creduce/perl/creduce_config.pm"
    libraries="export LD_LIBRARY_PATH='$debian/usr/lib/x86_64-linux-gnu'"
    cat > "$debian/bin/cvise" <<EOF
#!/bin/sh
export DESTDIR='$debian' PYTHONPATH='$debian/usr/share'
$libraries
exec '$BENCH_ENV/peers/bin/python' '$debian/usr/bin/cvise' "\$@"
EOF
    cat > "$debian/bin/creduce" <<EOF
#!/bin/sh
export PERL5LIB='$debian/usr/share/perl5:$debian/usr/share/creduce/perl:$debian/usr/lib/x86_64-linux-gnu/perl5/5.36'
$libraries
exec '$debian/usr/bin/creduce' "\$@"
EOF
    chmod +x "$debian/bin/cvise" "$debian/bin/creduce"
fi

# Without its language model, which takes half an hour to compile and is not used.
for python in python3.14 python3.13 python3.12; do
    "$python" -c '' 2>/dev/null || continue
    mkenv shrinkray "$python" textual textual-plotext humanize click chardet trio libcst exceptiongroup binaryornot \
        black tree-sitter tree-sitter-language-pack
    "$BENCH_ENV/shrinkray/bin/python" -m pip install -q --disable-pip-version-check --no-deps shrinkray==26.9.13.0
    exit
done
echo "Shrink Ray is left out: it needs Python 3.12 or later."
