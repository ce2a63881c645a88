import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';

/** Files and folders below one that this process has open; none where the system does not show them. */
export function openFilesBelow(folder: string): string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS)
    .flatMap((name) => targetOf(`${DESCRIPTORS}/${name}`))
    .filter((path) => path.startsWith(folder));
}

/** One that is closed meanwhile has none. */
function targetOf(descriptor: string): string[] {
  try {
    return [readlinkSync(descriptor)];
  } catch {
    return [];
  }
}
