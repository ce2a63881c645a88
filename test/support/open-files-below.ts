import { existsSync, readdirSync, readlinkSync } from 'node:fs';

const DESCRIPTORS = '/proc/self/fd';

/** The open files and folders of this process below a folder; none if the system does not show them. */
export function openFilesBelow(folder: string): string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS)
    .flatMap((name) => targetOf(`${DESCRIPTORS}/${name}`))
    .filter((path) => path.startsWith(folder));
}

/** The target of a descriptor. A descriptor that was closed in the meantime has none. */
function targetOf(descriptor: string): string[] {
  try {
    return [readlinkSync(descriptor)];
  } catch {
    return [];
  }
}
