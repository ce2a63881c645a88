const MOST = 1_000;

/** Anybody may cause such a warning as often as they like: each is reported once. */
export class WarnOnce {
  private readonly said = new Set<string>();

  constructor(private readonly warn: (message: string) => void) {}

  add(message: string): void {
    if (this.said.has(message) || this.said.size >= MOST) return;
    this.said.add(message);
    this.warn(message);
  }
}
