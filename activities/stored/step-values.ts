import { spelledAtPath } from '../../plan/expressions/evaluate';
import { CONTROL_VALUES_LIMIT_BYTES } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import { pathKey, STDOUT_KEY } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import { type Spelled, setSpelled } from '../../plan/text/spelled-json';

/**
 * The values of a step's output that the run's expressions read: the only part of it that enters workflow history. Fails with
 * `values.too-large`, naming the largest path.
 */
export function stepValues(step: Step, output: Spelled, stdout?: string): Record<string, Json> | undefined {
  const values: Record<string, Json> = {};
  for (const path of step.reads ?? []) setSpelled(values, pathKey(path), spelledAtPath(output, path));
  if (step.readsStdout && stdout !== undefined) values[STDOUT_KEY] = stdout;
  const sizes = Object.entries(values).map(([path, value]) => ({ path, sizeBytes: sizeOf(value) + path.length }));
  if (sizes.length === 0) return undefined;
  const sizeBytes = sizes.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  if (sizeBytes <= CONTROL_VALUES_LIMIT_BYTES) return values;
  const largest = sizes.reduce((a, b) => (b.sizeBytes > a.sizeBytes ? b : a));
  const name = largest.path === '$' ? 'its whole output' : largest.path === STDOUT_KEY ? 'its stdout' : `"${largest.path}"`;
  throw new ThermidorFailure(
    'values.too-large',
    `the run reads ${sizeBytes} bytes of what step "${step.id}" put out, most of it ${name} (${largest.sizeBytes} bytes); ` +
      `at most ${CONTROL_VALUES_LIMIT_BYTES} may control a run: read a smaller part of it`,
    { step: step.id, path: largest.path, sizeBytes, limitBytes: CONTROL_VALUES_LIMIT_BYTES },
  );
}

function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}
