import type { WaitReason } from '../../client/wait-reason';
import type { RunView } from '../../plan/run/status';
import { operatorLines, operatorReasons } from '../rendering/next-actions';
import { namedAddress } from '../rendering/step-tree';
import { oneLine } from '../rendering/text/printable';
import type { Colors } from '../terminal';

/** Reports each step of a followed run that has come to wait for an operator once, with the commands that continue it. */
export class HeldNotice {
  private reported = new Set<string>();

  constructor(
    private readonly colors: Colors,
    private readonly flags: string,
  ) {}

  /** What is new since the previous view; empty if nothing is. A step that continued and is held again is reported again. */
  consider(view: RunView): string {
    const reasons = operatorReasons(view);
    const fresh = reasons.filter((reason) => !this.reported.has(keyOf(reason)));
    this.reported = new Set(reasons.map(keyOf));
    return fresh.map((reason) => this.textOf(view.run, reason)).join('');
  }

  private textOf(run: string, reason: WaitReason): string {
    const { colors, flags } = this;
    const at = reason.step === undefined ? 'the run' : namedAddress(reason.step, reason.item);
    const lines = operatorLines(run, reason, flags);
    return `${colors.magenta('!')} ${colors.bold(at)} is ${oneLine(reason.text)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  }
}

function keyOf({ kind, step, since }: WaitReason): string {
  return JSON.stringify([kind, step, since]);
}
