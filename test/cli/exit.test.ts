import { ServerUnavailable } from '../../cli/embedded/server-unavailable';
import { CommandFailure, EXIT, shownFailure } from '../../cli/exit';
import { renderFailure } from '../../cli/rendering/failure';
import { ClientProblem, type ProblemCode } from '../../client/client-problem';
import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { fakeTerminal } from './fake-terminal';

const { colors } = fakeTerminal();

test.each<[ProblemCode, number]>([
  ['server.unreachable', 4],
  ['server.refused', 4],
  ['worker.missing', 4],
  ['run.ambiguous', 2],
  ['run.exists', 2],
  ['run.not-found', 1],
  ['run.ended', 1],
  ['signal.refused', 1],
  ['schedule.not-found', 1],
])('the problem %s is exit %i', (code, exit) => {
  expect(shownFailure(new ClientProblem(code, 'x'))).toMatchObject({ exit, code });
});

test.each<[FailureCode, number]>([
  ['pipeline.not-found', 2],
  ['script.not-found', 2],
  ['script.invalid', 2],
  ['args.invalid', 2],
  ['plan.too-large', 2],
  ['store.unavailable', 4],
  ['artifact.missing', 1],
])('the failure %s is exit %i', (code, exit) => {
  expect(shownFailure(new ThermidorFailure(code, 'x'))).toMatchObject({ exit, code });
});

test('a server that cannot be had is exit 4, and every way that was tried is shown', () => {
  const failure = shownFailure(new ServerUnavailable('none', ['PATH: nothing', 'cache: empty'], 'install it'));
  expect(failure).toMatchObject({ exit: EXIT.unreachable, hint: 'install it', details: { tried: ['PATH: nothing', 'cache: empty'] } });
  const text = renderFailure(failure, undefined, colors);
  expect(text).toContain('PATH: nothing');
  expect(text).toContain('cache: empty');
});

test.each(['ENOSPC', 'EDQUOT', 'EROFS'])('a disk that answers %s is exit 4, and no bug', (code) => {
  const error = Object.assign(new Error(`${code}: no, open '/state/server.lock'`), { code, syscall: 'open' });
  expect(shownFailure(error)).toMatchObject({
    exit: EXIT.unreachable,
    code: 'store.unavailable',
    message: expect.stringContaining('/state'),
  });
});

test('a bug is not passed off as a failure, and is shown with its stack', () => {
  const bug = new TypeError('x is not a function');
  expect(shownFailure(bug)).toBeUndefined();
  expect(renderFailure(undefined, bug, colors)).toContain('exit.test');
});

test('a single problem is reported once', () => {
  const failure = new CommandFailure(EXIT.usage, 'args.invalid', 'arg "a" is required', { details: { problems: ['arg "a" is required'] } });
  expect(renderFailure(shownFailure(failure), failure, colors).match(/is required/g)).toHaveLength(1);
});
