#!/bin/sh
# Runs in the build tree (modules.sh): the kernel's own source of the simulated devices, built against Debian's headers.
set -eu
kernel=$(ls /lib/modules | grep -v -e cloud -e rt | sort -V | tail -1)
headers=/lib/modules/$kernel/build
archive=$(ls /usr/src/linux-source-*.tar.xz | tail -1)
source=/root/source
out=/root/out
rm -rf "$source" "$out"
mkdir -p "$source" "$out/modules" "$out/wheels"
tar -C "$source" --strip-components=1 --wildcards -xf "$archive" \
    '*/drivers/gpio/*.[ch]' '*/drivers/media/test-drivers/vimc/*' '*/kernel/irq/irq_sim.c'

build() { # folder, make's words
    folder=$1
    shift
    make -s -C "$headers" M="$folder" "$@" modules
    cp "$folder"/*.ko "$out/modules/"
}
# gpio-sim wants the kernel's interrupt simulator, which Debian leaves out as well: it goes into the same module.
gpio=$source/drivers/gpio
cp "$source/kernel/irq/irq_sim.c" "$gpio/"
sed -i -e '/EXPORT_SYMBOL/d' -e 's/irq_to_desc(\([a-z_]*\))/irq_data_to_desc(irq_get_irq_data(\1))/' "$gpio/irq_sim.c"
mv "$gpio/gpio-sim.c" "$gpio/sim-main.c"
echo 'obj-m := gpio-sim.o
gpio-sim-y := sim-main.o irq_sim.o' > "$gpio/Kbuild"
build "$gpio"
build "$source/drivers/media/test-drivers/vimc" CONFIG_VIDEO_VIMC=m
find /lib/modules/"$kernel" -name 'v4l2loopback.ko*' -exec cp {} "$out/modules/" \;
echo "$kernel" > "$out/kernel"
# Wheels that are not on the index for this Python, and would need a compiler in the image.
PYPI=1 python3 -m pip wheel --quiet --no-deps -w "$out/wheels" --no-binary=:all: lgpio python-prctl PiDNG   # PYPI: lgpio with its library inside
