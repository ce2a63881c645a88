import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { headOf, requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource, SwitchSource } from '../../compiler/shape/source';

/** The condition of a case has those of all before it within. */
const MOST_CASES = 64;

export function readSwitch(node: MappingNode, _step: StepSource, reading: ReadContext): SwitchSource {
  const { report } = reading;
  const cases = entryOf(node, 'switch');
  requireKey(node, 'switch', 'a step of kind "switch"', report, 'add `switch:`, a list of cases');
  const branches = cases ? reading.steps(cases, { branches: true }) : [];
  if (cases && branches.length > MOST_CASES)
    report(
      'shape.out-of-range',
      cases.keyAt,
      `"switch" has ${branches.length} cases, and ${MOST_CASES} are the most`,
      'put some into a switch of their own',
    );
  checkDefault(cases, report);
  return { kind: 'switch', branches };
}

/** After a case that always holds no other is reached. */
function checkDefault(cases: Entry | undefined, report: Report): void {
  const items = cases?.value.kind === 'sequence' ? cases.value.items : [];
  const open = items.findIndex((item) => item.kind === 'mapping' && !CONDITIONS.some((key) => entryOf(item, key)));
  const [item] = items.slice(open, items.length - 1);
  if (open < 0 || item?.kind !== 'mapping') return;
  const id = entryOf(item, 'id')?.value;
  const named = id?.kind === 'scalar' ? `case "${id.text}"` : 'a case';
  report(
    'switch.unreachable-case',
    id?.at ?? headOf(item),
    `${named} has no "when", so none after it is reached`,
    'add a `when`, or put it last as the default',
  );
}
const CONDITIONS = ['when', 'condition'];
