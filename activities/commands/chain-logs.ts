import type { ActivityCall } from '../activity-call';
import { openStepLog, type StepLog } from '../logs/step-log';
import type { CommandRequest } from '../ports';
import type { RunSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';

/** The logs of a chain's commands, one each. The rest of one is written while the next command runs. */
export interface ChainLogs {
  /** The request, with its output going into the log of the command with this address. */
  logged(id: string, request: CommandRequest, secrets: RunSecrets): CommandRequest;
  /** Resolves when the log is written. */
  end(id: string): Promise<void>;
  /** Resolves when all logs are written. */
  close(): Promise<void>;
}

export function chainLogs(toolbox: Toolbox, call: ActivityCall): ChainLogs {
  const open = new Map<string, StepLog>();
  const ending: Promise<void>[] = [];
  function end(id: string): Promise<void> {
    const ended = open.get(id)?.close() ?? Promise.resolve();
    open.delete(id);
    ending.push(ended);
    return ended;
  }
  return {
    logged(id, request, secrets) {
      const log = openStepLog(toolbox, { ...call, id }, secrets);
      open.set(id, log);
      return { ...request, onOutput: log.program() };
    },
    end,
    async close() {
      for (const id of [...open.keys()]) end(id);
      await Promise.all(ending);
    },
  };
}
