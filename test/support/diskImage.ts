import { spawnSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./temporaryFolder.ts";

/** Disks of other systems. Both ignore case; exFAT has neither hard links nor symbolic ones. */
export type DiskImage = "exFAT" | "NTFS";

/** By image: the packages of Debian, and the command that makes a disk of a file. */
const tools = {
  exFAT: { packages: "exfatprogs exfat-fuse", make: ["mkfs.exfat"] },
  NTFS: { packages: "ntfs-3g", make: ["mkntfs", "-F", "-q"] },
} as const;

const bytes = 16 * 1024 * 1024;

/**
 * Makes a disk in a file and mounts it until the process ends.
 *
 * @returns Its folder; `undefined` if that is not possible here, and says so.
 */
export function mountedImage(image: DiskImage): string | undefined {
  const top = temporaryFolder();
  const [file, folder] = [join(top, "image"), join(top, "disk")];
  mkdirSync(folder);
  writeFileSync(file, "");
  truncateSync(file, bytes);
  const [program, ...options] = tools[image].make;
  const isMounted = succeeds(program, ...options, file) && mount(image, file, folder);
  if (isMounted) return folder;
  const needs = `root, /dev/fuse and the packages ${tools[image].packages}`;
  process.stderr.write(`NOT RUN: the tests on a disk with ${image}. They need ${needs}.\n`);
  return undefined;
}

function mount(image: DiskImage, file: string, folder: string): boolean {
  if (image === "NTFS") {
    const isMounted = succeeds("lowntfs-3g", "-o", "ignore_case", file, folder);
    if (isMounted) process.prependOnceListener("exit", () => succeeds("umount", "-l", folder));
    return isMounted;
  }
  const device = spawnSync("losetup", ["-f", "--show", file], { encoding: "utf8" }).stdout?.trim();
  if (!device) return false;
  process.prependOnceListener("exit", () => {
    succeeds("umount", "-l", folder);
    succeeds("losetup", "-d", device);
  });
  return succeeds("mount.exfat-fuse", device, folder);
}

function succeeds(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
