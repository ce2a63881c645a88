import type { RunView } from '../../plan/run/status';
import { changesBetween, renderChange } from '../rendering/changes';
import { LiveRegion } from '../rendering/live-region';
import { clock } from '../rendering/text/time';
import { renderTree } from '../rendering/tree';
import type { Terminal } from '../terminal';

/** Where a followed run is shown. */
export interface Screen {
  show(view: RunView): void;
  /** Prints text above a tree that is drawn in place. */
  say(text: string): void;
  /** While a person is asked, nothing else is drawn. */
  suspend(): void;
  resume(): void;
  /** Leaves the last known view on the screen. */
  end(last?: RunView): void;
}

const REDRAW_MS = 250;

export function openScreen(terminal: Terminal, json: boolean): Screen {
  return terminal.live && !json ? new TreeScreen(terminal) : new LineScreen(terminal, json ? terminal.err : terminal.out);
}

/** A line a change; with `--json` on stderr, because stdout is the document's. */
class LineScreen implements Screen {
  private before: RunView | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly write: (text: string) => void,
  ) {}

  show(view: RunView): void {
    const { colors } = this.terminal;
    for (const change of changesBetween(this.before, view)) {
      this.write(`${colors.dim(clock(change.time ?? new Date().toISOString()))}  ${renderChange(change, colors)}\n`);
    }
    this.before = view;
  }

  say(text: string): void {
    this.write(text);
  }

  suspend(): void {}
  resume(): void {}
  end(_last?: RunView): void {}
}

/** The tree, drawn in place; the clock in it continues between changes. */
class TreeScreen implements Screen {
  private readonly region: LiveRegion;
  private readonly timer: NodeJS.Timeout;
  private view: RunView | undefined;
  private suspended = false;

  constructor(private readonly terminal: Terminal) {
    this.region = new LiveRegion(terminal.out, terminal.rows, terminal.columns);
    this.timer = setInterval(() => this.draw(), REDRAW_MS);
    this.timer.unref();
  }

  show(view: RunView): void {
    this.view = view;
    this.draw();
  }

  say(text: string): void {
    this.region.clear();
    this.terminal.out(text);
    this.draw();
  }

  suspend(): void {
    this.draw();
    this.suspended = true;
    this.region.finish();
  }

  resume(): void {
    this.suspended = false;
    this.draw();
  }

  end(last?: RunView): void {
    if (last !== undefined) this.view = last;
    clearInterval(this.timer);
    if (this.suspended || this.view === undefined) return;
    this.suspended = true;
    // Printed in full: the screen had room for only a part.
    this.region.clear();
    this.terminal.out(`${this.lines(this.view).join('\n')}\n`);
  }

  private draw(): void {
    if (this.suspended || this.view === undefined) return;
    this.region.draw(this.lines(this.view));
  }

  private lines(view: RunView): string[] {
    const { colors, columns } = this.terminal;
    return renderTree(view, { colors, columns: columns(), now: Date.now() });
  }
}
