/**
 * Names that every file system takes, and that mean nothing to it: no path, no device of Windows, no hidden file, no two that differ only
 * in capitals.
 */
const PORTABLE = /^[A-Za-z0-9_][A-Za-z0-9_.@~#+=,-]{0,99}$/;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;

export function isPortable(name: string): boolean {
  return PORTABLE.test(name) && !name.endsWith('.') && !DEVICE.test(name);
}

/** Names in one folder. */
export class PortableNames {
  private readonly taken = new Set<string>();

  /** The wanted name, or if it is not portable or taken, the digest with the name's extension. @param digest differs for each call */
  take(wanted: string | undefined, digest: string, extension = EXTENSION.exec(wanted ?? '')?.[0] ?? ''): string {
    const named = wanted === undefined ? undefined : this.free(wanted);
    const name = named ?? this.free(`${digest}${extension}`) ?? digest;
    this.taken.add(name.toLowerCase());
    return name;
  }

  private free(name: string): string | undefined {
    return isPortable(name) && !this.taken.has(name.toLowerCase()) ? name : undefined;
  }
}
