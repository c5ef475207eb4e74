#!/usr/bin/env bash
# Boots this machine's systemd a second time, as the first process of namespaces of its own: `boot.sh FOLDER OPT`, as root.
# Its files are those of this machine, below a layer in memory that takes what is written; /opt/appliance-bot is OPT. What it
# could change outside of that is closed to it: devices, settings of the kernel and of the network. FOLDER is an empty folder.
# It ends when systemd does, and leaves nothing behind.
set -euo pipefail
folder="$1" opt="$2"

if [ "${3:-}" = inside ]; then
  mount --make-rprivate /
  mount -t tmpfs tmpfs "$folder"
  mkdir "$folder"/{above,work,root}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/above,workdir=$folder/work" "$folder/root"
  cd "$folder/root"
  mount -t proc proc proc
  mount --bind proc/sys proc/sys
  mount -o remount,ro,bind proc/sys
  mount -t sysfs -o ro sysfs sys
  # One hierarchy of control groups, with this process at its top.
  mount -t cgroup2 cgroup2 sys/fs/cgroup
  mount --rbind /dev dev
  mount -t tmpfs -o mode=755 tmpfs run
  mkdir -p opt/appliance-bot before
  mount --bind "$opt" opt/appliance-bot
  rm -rf etc/systemd/system/*.wants
  for unit in systemd-udevd.service systemd-udevd-{kernel,control}.socket systemd-{networkd,sysctl,resolved,timesyncd}.service; do
    ln -sf /dev/null "etc/systemd/system/$unit"
  done
  echo '[Unit]' >etc/systemd/system/nothing-else.target
  pivot_root . before
  umount -l /before
  cd /
  exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --system --unit=nothing-else.target --log-target=journal
fi

# A group of its own, in which everything stays that it starts.
mount --make-rprivate /
mount -t cgroup2 cgroup2 "$folder"
group="$folder/appliance-bot-$$"
mkdir "$group"
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec setpriv --pdeathsig KILL unshare --pid --mount --ipc --uts --cgroup --fork --kill-child bash "$0" "$(mktemp -d)" "$opt" inside
) || true
find "$group" -depth -type d -exec rmdir {} +
