import { defined } from '../../plan/defined';
import { bug } from '../../plan/run/failure';
import type { Begins, StepInput, StepOutput } from '../../plan/steps/step-activity';
import { type ActivityCall, requireAddress } from '../activity-call';
import { requireApproval } from '../gates/approved-action';
import { withHeartbeat } from '../heartbeat';
import { begunAgain, failedWithBegins, requireFirst, withIntents } from '../intents';
import { openStepLog } from '../logs/step-log';
import { once } from '../once';
import type { CommandRequest } from '../ports';
import { loadRun, stepAt } from '../run/load-run';
import { inputScope } from '../run/template-scope';
import { noteProduced } from '../store-output';
import { publishOutput } from '../stored/publish-output';
import { emitLines, withoutItems } from '../streams/emit-lines';
import { openStream, storeEmitted } from '../streams/open-stream';
import type { Toolbox } from '../toolbox';
import { inWorktree, type WorkTree } from '../worktrees/in-worktree';
import { chainedResult } from './chain-record';
import { commandOutput } from './command-output';
import { commandEnvironment, commandRequest } from './command-request';
import { lobsterWords } from './lobster-arguments';
import { withTests } from './tested';

/**
 * One try of a `run:` step. Its stdout is the artifact, unchanged; if it is JSON, that is the step's output. In a Lobster file, text that
 * is not JSON is stdout and no output.
 *
 * Fails with `command.failed` (also if stdout breaks the promise of JSON, or of a schema, in `output:`), `command.timeout`,
 * `output.too-large`, `values.too-large`, `secret.missing`, `approval.missing`, `store.unavailable`; in a worktree as `inWorktree`.
 */
export async function command(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<StepOutput> {
  const address = requireAddress(call);
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, address);
  if (!('command' in step)) throw bug(`step "${step.id}" is not a command`);
  const done = await chainedResult(toolbox, call);
  if (done) return done.output;
  const work = async (): Promise<StepOutput> => {
    await requireApproval(toolbox, run, step, address, input);
    const scope = await inputScope(toolbox, run, input);
    const log = openStepLog(toolbox, call, scope.secrets);
    const request = commandRequest(run, step, scope, await commandEnvironment(toolbox, run));
    const stream = openStream(call, step);
    const onLines = stream && emitLines(toolbox, call, stream, scope.secrets);
    const rendered = { ...withTests(step, request), onOutput: log.program(), ...defined({ onLines }) };
    // Half-done work of a killed command is no place to begin.
    let begins: Begins = {};
    const execute = () =>
      inWorktree(toolbox, call, run, input.worktree, { discard: true }, async (tree) => {
        const request = tree ? await requestInTree(rendered, tree) : rendered;
        return await withIntents(toolbox, call, async (intents) => {
          requireFirst(step, await intents.begin(call.id));
          begins = begunAgain(intents, call.id);
          return toolbox.processes.run(request, call.signal);
        }).catch((error: unknown) => {
          throw failedWithBegins(lobsterWords(run, step, request, error), begins);
        });
      }).finally(log.close);
    return await noteProduced(toolbox, call, execute, async ({ result, saved }) => {
      const ended = stream ? { ...result, stdout: withoutItems(result.stdout) } : result;
      const output = await commandOutput(toolbox, { run, step, ended, readable: input, secrets: scope.secrets });
      const emitted = stream && (await storeEmitted(toolbox, stream));
      return { ...output, ...defined({ emitted, worktree: saved }), ...begins };
    });
  };
  const output = await withHeartbeat(
    call,
    () => 0,
    () => once(toolbox, call, work),
  );
  await publishOutput(toolbox, call.key.workflowId, address, output.artifact);
  return output;
}

/** A command in its step's worktree; the step's own settings win. */
async function requestInTree(request: CommandRequest, { folderFor, env }: WorkTree): Promise<CommandRequest> {
  return { ...request, cwd: await folderFor(request.cwd), env: { ...env, ...request.env } };
}
