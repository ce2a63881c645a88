import type { Tested, TestInput } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { FailedTest } from '../../plan/queue/ticket';
import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { duration } from '../../plan/text/duration';
import { field } from '../../plan/text/json';
import { beginning, ending } from '../../plan/text/shortened';
import { lostTries, recordGreen, recordRed, recordTested, recordTry, wasGreen, wasRed } from '../../records/queues/queue-ledger';
import type { ActivityCall } from '../activity-call';
import { withHeartbeat } from '../heartbeat';
import { ownSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import type { OpenWorktree } from '../worktree-port';
import { countTests } from './count-tests';
import { requireBuilt, requireOwnTarget, requireSubmission } from './own-records';
import { type PreparingCommand, preparationOf } from './prepare-tree';
import { requireMergeHost } from './require-merge-host';
import { inTestWorktree } from './test-worktree';

const OUTPUT_BYTES = 4 * 1024 * 1024;
const TAIL_CHARACTERS = 4000;

/**
 * Runs the queue's test and the candidates' own in a worktree of the merged tree, prepared like theirs. It is not shared: each attempt, and
 * each host that takes one up, has one of its own. Red is a result, even if the preparation is red; a worktree that cannot be made is a
 * failure.
 */
export async function testMerged(toolbox: Toolbox, call: ActivityCall, input: TestInput): Promise<Tested> {
  const { target, commit, within, onto } = input;
  const { ledger } = toolbox;
  requireOwnTarget(call, target);
  await requireBuilt(toolbox, call, [commit, within, onto]);
  const rules = requireMergeHost(toolbox).rules(target);
  const answer = await testByRules(toolbox, call, input, rules);
  if (answer.kind === 'green') await recordTested(ledger, call.key.workflowId, commit, rules);
  return answer;
}

async function testByRules(toolbox: Toolbox, call: ActivityCall, input: TestInput, rules: QueueSettings): Promise<Tested> {
  const { attempt, target, commit, within } = input;
  const tests = await testsOf(toolbox, call, input, rules);
  if (tests.length === 0) return { kind: 'green' };
  const { copy, commands: setup } = await preparationOf(toolbox, input, rules);
  const all: Tests = { rules, copy, setup, tests };
  return await withHeartbeat(
    call,
    () => 0,
    async () => {
      if (within !== undefined) await requireMergeHost(toolbox).bring(target, within, call.signal);
      const tested = await inTestWorktree(toolbox, call, target, { attempt, tree: 'merged', commit, copy }, (tree) =>
        inTry(toolbox, call, { attempt, commit }, () => testAll(toolbox, call, input, all, tree)),
      );
      return await judged(toolbox, call, input, all, tested);
    },
  );
}

interface Tests {
  rules: QueueSettings;
  copy: readonly string[];
  /** Run before the tests, in every tree that is tested. */
  setup: readonly PreparingCommand[];
  tests: readonly TestCommand[];
}

interface TestCommand {
  of: FailedTest['of'];
  shell: string;
  /** `baseline`: the target should be green by it before anything is merged. `kept`: it counts if the target is green by it. */
  role: 'baseline' | 'own' | 'kept';
}

interface Failed {
  command: TestCommand | PreparingCommand;
  failure: Omit<FailedTest, 'of'>;
}

/** Judges failures against the target without the candidates: a command that only has to stay green may stay red if it was red before. */
async function judged(toolbox: Toolbox, call: ActivityCall, input: TestInput, all: Tests, failed: readonly Failed[]): Promise<Tested> {
  for (const { command, failure } of failed) {
    const isTargets = await failsOnTarget(toolbox, call, input, all, command);
    const isKept = 'role' in command && command.role === 'kept';
    if (isKept && isTargets) continue;
    const reason = isKept ? `${failure.reason}, and without this candidate the branch passes that test` : failure.reason;
    return { kind: 'red', of: command.of, ...failure, reason, ...(isTargets ? { isTargets } : {}) };
  }
  return { kind: 'green' };
}

/** A known commit is not tested again: one that a queue has landed, and a target that it has tested. */
async function failsOnTarget(
  toolbox: Toolbox,
  call: ActivityCall,
  { onto, attempt, target, isAhead }: TestInput,
  all: Tests,
  command: TestCommand | PreparingCommand,
): Promise<boolean> {
  if (onto === undefined || (isAhead && command.of === 'queue')) return false;
  if ('role' in command) {
    const { role, shell } = command;
    const known = [toolbox.ledger, call.key.workflowId, onto, shell] as const;
    if (role === 'own' || (await wasGreen(...known))) return false;
    if (role === 'kept' && (await wasRed(...known))) return true;
  }
  const tests = 'role' in command ? [command] : [];
  const failed = await inTestWorktree(toolbox, call, target, { attempt, tree: 'target', commit: onto, copy: all.copy }, (tree) =>
    inTry(toolbox, call, { attempt, commit: onto }, () => testAll(toolbox, call, { commit: onto }, { ...all, tests }, tree)),
  );
  return failed.length > 0;
}

async function testsOf(toolbox: Toolbox, { signal }: ActivityCall, input: TestInput, rules: QueueSettings): Promise<TestCommand[]> {
  const { candidates, target, commit } = input;
  const commands: TestCommand[] = rules.test === undefined ? [] : [{ of: 'queue', shell: rules.test, role: 'baseline' }];
  const kept: TestCommand[] = [];
  for (const { ticket, asked } of candidates) {
    const { baseline, test, staysGreen, selfTested, candidate } = await requireSubmission(toolbox, asked, target);
    if (selfTested && candidate && (await requireMergeHost(toolbox).isSameTree(target, candidate, commit, signal))) continue;
    if (baseline !== undefined) commands.push({ of: ticket, shell: baseline, role: 'baseline' });
    if (test !== undefined) commands.push({ of: ticket, shell: test, role: 'own' });
    if (staysGreen !== undefined) kept.push({ of: ticket, shell: staysGreen, role: 'kept' });
  }
  // The first of two that are the same counts: to be green is more than to stay green.
  const all = [...commands, ...kept];
  return all.filter(({ shell }, at) => all.findIndex((other) => other.shell === shell) === at);
}

async function testAll(
  toolbox: Toolbox,
  call: ActivityCall,
  { commit }: Pick<TestInput, 'commit'>,
  { rules, setup, tests }: Tests,
  tree: OpenWorktree,
): Promise<Failed[]> {
  const failed: Failed[] = [];
  for (const command of [...setup, ...tests]) {
    const failure = await testFailure(toolbox, call, rules, command, tree);
    const role = 'role' in command ? command.role : undefined;
    if (failure) failed.push({ command, failure });
    if (failure && role !== 'kept') return failed;
    const found = [toolbox.ledger, call.key.workflowId, commit, command.shell] as const;
    if (failure) await recordRed(...found);
    else if (role) await recordGreen(...found);
  }
  return failed;
}

async function testFailure(
  toolbox: Toolbox,
  call: ActivityCall,
  { timeoutMs, minTests }: QueueSettings,
  command: TestCommand | PreparingCommand,
  { folder, env }: OpenWorktree,
): Promise<Omit<FailedTest, 'of'> | undefined> {
  const { of, shell } = command;
  const preparing = 'prepares' in command ? command : undefined;
  const around = { ...preparing?.own, ...env, ...preparing?.env };
  const mask = preparing?.mask ?? ownSecrets(toolbox).mask;
  const request = { command: { shell }, cwd: folder, env: around, timeoutMs, outputLimitBytes: OUTPUT_BYTES, cut: true as const, mask };
  try {
    const { stdout, stderr } = await toolbox.processes.run(request, call.signal);
    if (preparing || of !== 'queue' || !minTests) return undefined;
    const count = countTests(minTests.format, stdout);
    if (count !== undefined && count >= minTests.count) return undefined;
    const ran = count === undefined ? `no count of tests in format ${minTests.format}` : `${count} tests`;
    const reason = `${JSON.stringify(shell)} succeeded with ${ran}; the queue wants ${minTests.count} at least`;
    return await told(toolbox, mask, reason, stdout, stderr);
  } catch (error) {
    if (!(error instanceof ThermidorFailure) || !OF_COMMANDS.includes(error.code)) throw error;
    const ended = error.code === 'command.timeout' ? `${JSON.stringify(shell)} did not end within ${duration(timeoutMs)}` : error.message;
    const reason = preparing
      ? `${JSON.stringify(shell)}, command ${preparing.prepares} of \`setup\`, failed before the tests: ${ended}`
      : ended;
    return await told(toolbox, mask, reason, text(error, 'stdout'), text(error, 'stderr'));
  }
}

const OF_COMMANDS: readonly FailureCode[] = ['command.failed', 'command.timeout'];

function text({ details }: ThermidorFailure, key: string): string {
  const said = field(details, key);
  return typeof said === 'string' ? said : '';
}

/** The output without secrets. */
async function told(
  toolbox: Toolbox,
  mask: (text: string) => string,
  reason: string,
  stdout: string,
  stderr: string,
): Promise<Omit<FailedTest, 'of'>> {
  const output = mask([stdout, stderr].filter((part) => part !== '').join('\n'));
  const ref = await toolbox.artifacts.put(output, { mediaType: 'text/plain', name: 'test-output.txt' });
  return { reason: beginning(mask(reason), TAIL_CHARACTERS), tail: ending(output, TAIL_CHARACTERS), output: ref };
}

/** How often commands of a test may take their worker with them. */
const MOST_LOST = 3;

/**
 * Runs the commands of a test, unless those of this attempt have killed too many workers: each lost worker had other work, too. A worker
 * that ends in order records that. Fails with `queue.test-lost`.
 */
async function inTry<T>(
  { ledger }: Pick<Toolbox, 'ledger'>,
  { key: { workflowId: queue } }: Pick<ActivityCall, 'key'>,
  of: { attempt: number; commit: string },
  work: () => Promise<T>,
): Promise<T> {
  const lost = await lostTries(ledger, queue, of);
  if (lost >= MOST_LOST)
    throw new ThermidorFailure('queue.test-lost', `the test of ${of.commit.slice(0, 12)} has taken its worker down ${lost} times`);
  await recordTry(ledger, queue, of, 'begun');
  try {
    return await work();
  } finally {
    await recordTry(ledger, queue, of, 'over');
  }
}
