import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { duration } from '../../plan/text/duration';
import type { ActivityCall } from '../activity-call';
import { type ShellCommand, shellCommand } from '../commands/shell-template';
import type { StepLog } from '../logs/step-log';
import { openStepLog } from '../logs/step-log';
import type { LoadedRun } from '../run/loaded-run';
import type { RunSecrets } from '../run/run-secrets';
import { stepEnvironment } from '../run/step-environment';
import { inputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import type { Setup } from '../worktree-port';
import { ownerOf, type SlotRecord, type WorktreeOwner } from './slot-record';

/** How much a command of `setup` may print; the beginning and the end of longer output are kept. */
const OUTPUT_BYTES = 256 * 1024;

export interface SetupLog {
  setup: Setup;
  /** The step's log has the commands' output. */
  close(): Promise<void>;
}

/** A command of `setup` or `teardown`, for a process whose environment is `own`, that of the worktree, and `env`, later ones winning. */
export interface SetupCommand extends ShellCommand {
  own: Readonly<Record<string, string>>;
}

/** The owner's commands, with the values that they had when the worktree was claimed. */
export async function renderedSetup(
  toolbox: Toolbox,
  run: LoadedRun,
  { slot, record, key }: OwnedSetup,
): Promise<{ commands: SetupCommand[]; secrets: RunSecrets }> {
  const step = ownerOf(run, slot);
  const scope = await inputScope(toolbox, run, record.reads);
  const own = 'env' in step ? stepEnvironment(step, scope) : {};
  const commands = (step.worktree[key] ?? []).map((command) => ({ own, ...shellCommand(command, scope) }));
  return { commands, secrets: scope.secrets };
}

interface OwnedSetup {
  slot: string;
  record: SlotRecord;
  key: 'setup' | 'teardown';
}

/**
 * The owner's `setup` or `teardown`: its commands one after the other, in the worktree, with the owner's environment. All of `setup` takes
 * no longer than a try of the owner may. Fails with `worktree.setup-failed` at the first that fails.
 */
export function setupCommands(toolbox: Toolbox, call: ActivityCall, run: LoadedRun, { slot, record, key }: OwnedSetup): SetupLog {
  let log: StepLog | undefined;
  return {
    async setup(folder, around) {
      const owner = ownerOf(run, slot);
      const { worktree } = owner;
      const allMs = tryMs(run, owner);
      if (!worktree[key]?.length) return;
      const untilMs = key === 'setup' && allMs !== undefined ? Date.now() + allMs : undefined;
      const { commands, secrets } = await renderedSetup(toolbox, run, { slot, record, key });
      log ??= openStepLog(toolbox, call, secrets);
      for (const [i, { shell, env, own }] of commands.entries()) {
        const request = {
          ...{ command: { shell }, cwd: folder, env: { ...own, ...around, ...env } },
          ...{ outputLimitBytes: OUTPUT_BYTES, cut: true as const, mask: secrets.mask },
          ...(untilMs === undefined ? {} : { timeoutMs: Math.max(1, untilMs - Date.now()) }),
          onOutput: log.program({ title: `${key} of the worktree, command ${i + 1}` }),
        };
        await toolbox.processes.run(request, call.signal).catch((error: unknown) => {
          throw setupFailure(error, key, slot, i, allMs);
        });
      }
    },
    close: async () => log?.close(),
  };
}

/** How long a try of the owner may take. */
function tryMs({ plan }: LoadedRun, { timeoutMs, ...step }: WorktreeOwner): number | undefined {
  return timeoutMs ?? ('agent' in step ? plan.agents?.[step.agent]?.timeoutMs : undefined);
}

const OF_COMMANDS: readonly FailureCode[] = ['command.failed', 'command.timeout'];

function setupFailure(error: unknown, key: string, slot: string, index: number, allMs: number | undefined): unknown {
  if (!(error instanceof ThermidorFailure) || !OF_COMMANDS.includes(error.code)) return error;
  const isLate = error.code === 'command.timeout' && allMs !== undefined;
  const why = isLate ? `\`${key}\` did not end within ${duration(allMs)}, the timeout of the step` : error.message;
  const message = `command ${index + 1} of \`${key}\` failed in the worktree of "${slot}": ${why}`;
  return new ThermidorFailure('worktree.setup-failed', message, error.details);
}
