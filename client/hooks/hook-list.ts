import type { AppliedHook } from './applied-hook';

/** A change on the server is known here after so long, and what the server's own list lags. */
const FRESH_MS = 5_000;

/**
 * The web hooks of the installation by their paths. The server is asked when a delivery comes and the list is old; deliveries that come
 * meanwhile wait for the same answer, so that a flood of them asks once.
 */
export class HookList {
  private hooks: ReadonlyMap<string, AppliedHook> = new Map();
  private readAt = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly load: () => Promise<readonly AppliedHook[]>,
    private readonly warn: (message: string) => void,
    private readonly now: () => number,
  ) {}

  /** Undefined if there is none. Fails as `load`. */
  async find(path: string): Promise<AppliedHook | undefined> {
    if (Math.abs(this.now() - this.readAt) > FRESH_MS) {
      this.reading ??= this.read().finally(() => {
        this.reading = undefined;
      });
      await this.reading;
    }
    return this.hooks.get(path);
  }

  private async read(): Promise<void> {
    const found = new Map<string, AppliedHook>();
    const doubled = new Set<string>();
    for (const hook of await this.load()) {
      const { path } = hook.trigger;
      if (found.has(path)) doubled.add(path);
      found.set(path, hook);
    }
    for (const path of doubled) {
      found.delete(path);
      this.warn(`several web hooks have the path "${path}", so none of them takes anything: see \`thermidor schedule list\``);
    }
    this.hooks = found;
    this.readAt = this.now();
  }
}
