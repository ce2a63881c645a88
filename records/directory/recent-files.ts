/** The part of `fs.Stats` that distinguishes a file from another one in its place. */
export interface FileIdentity {
  dev: number;
  ino: number;
}

/** The files noted last, by path. Another file in a noted file's place is not mistaken for it. */
export class RecentFiles {
  private readonly files = new Map<string, string>();

  constructor(private readonly limit = 20_000) {}

  has(path: string, file: FileIdentity): boolean {
    return this.files.get(path) === nameOf(file);
  }

  add(path: string, file: FileIdentity): void {
    this.files.delete(path);
    this.files.set(path, nameOf(file));
    // A Map remembers insertion order, so the first is the one that was noted longest ago.
    for (const oldest of this.files.keys()) {
      if (this.files.size <= this.limit) break;
      this.files.delete(oldest);
    }
  }
}

function nameOf({ dev, ino }: FileIdentity): string {
  return `${dev} ${ino}`;
}
