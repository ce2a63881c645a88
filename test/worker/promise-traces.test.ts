import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutPromiseTraces, workflowCode } from '../../worker/promise-traces';

const HOOK = require.resolve('@temporalio/worker/lib/workflow/vm-shared');

/** What the SDK's own handlers notice if workflow code makes three promises, and if nobody handles a rejection. */
function inSandbox(prelude: (code: string) => string): { kept: number; enabled: boolean; rejectedIn: string } {
  const code = prelude('globalThis.kept = [Promise.resolve(1), new Promise(() => undefined), (async () => 1)()];');
  const program = `
    const vm = require('node:vm');
    const { globalHandlers, setUnhandledRejectionHandler } = require(${JSON.stringify(HOOK)});
    const context = vm.createContext({});
    vm.runInContext(${JSON.stringify(code)}, context);
    const store = { promiseToStack: new Map(), childToParent: new Map() };
    const activator = { info: { runId: 'run-1' }, promiseStackStore: store, stackTracesEnabled: true };
    vm.runInContext('activator => { globalThis.__TEMPORAL_ACTIVATOR__ = activator }', context)(activator);
    globalHandlers.install();
    vm.runInContext('globalThis.waiting = [new Promise(() => undefined), new Promise(() => undefined)]', context);
    const kept = store.promiseToStack.size;
    setUnhandledRejectionHandler((runId) => ({
      setUnhandledRejection: () => console.log(JSON.stringify({ kept, enabled: activator.stackTracesEnabled, rejectedIn: runId })),
    }));
    vm.runInContext('Promise.reject(new Error("nobody handles this"))', context);
  `;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], { cwd: join(__dirname, '../..'), encoding: 'utf8' }));
}

test('the SDK keeps no trace of a promise, says so when asked, and still knows whose an unhandled rejection is', () => {
  expect(inSandbox(withoutPromiseTraces)).toEqual({ kept: 0, enabled: false, rejectedIn: 'run-1' });
});

test('without it, the SDK keeps a trace of each', () => {
  expect(inSandbox((code) => code)).toEqual({ kept: 2, enabled: true, rejectedIn: 'run-1' });
});

test('the SDK’s hook asks the sandbox nothing but what is answered here', () => {
  const asked = [...readFileSync(HOOK, 'utf8').matchAll(/\b(?:ctor|fn)\((['"`])(.*?)\1\)/g)].map((match) => match[2]);
  expect(new Set(asked)).toEqual(new Set(['return globalThis.__TEMPORAL_ACTIVATOR__', 'return globalThis.Error']));
  expect(readFileSync(HOOK, 'utf8').match(/constructor\.constructor/g)).toHaveLength(2);
});

test('workflow code keeps its lines', () => {
  expect(withoutPromiseTraces('first\nsecond').split('\n')).toHaveLength(2);
});

test('a worker that keeps traces loads the code as it was built', () => {
  expect(workflowCode('/somewhere/bundle.js', true)).toEqual({ codePath: '/somewhere/bundle.js' });
});
