/** A construct that RE2 does not support, and its place. */
export class Unsupported extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

/** A pattern that ECMAScript takes, and how far it has been read. */
export class PatternText {
  at = 0;

  constructor(readonly pattern: string) {}

  isOver(): boolean {
    return this.at >= this.pattern.length;
  }

  character(): string {
    const char = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    this.at += char.length;
    return char;
  }

  /** Whether `text` comes next; if so it is skipped. */
  take(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  /** Up to the mark, which is skipped. */
  upTo(mark: string): string {
    const end = this.pattern.indexOf(mark, this.at);
    const text = this.pattern.slice(this.at, end);
    this.at = end + mark.length;
    return text;
  }

  hex(digits: number): number {
    const code = Number.parseInt(this.pattern.slice(this.at, this.at + digits), 16);
    this.at += digits;
    return code;
  }
}
