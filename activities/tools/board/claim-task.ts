import type { ReturnedTask, TaskNumber } from '../../../plan/board/task';
import { workText } from '../../../plan/board/work-text';
import { defined } from '../../../plan/defined';
import type { ArtifactRef } from '../../../plan/run/artifact';
import { field } from '../../../plan/text/json';
import { wholeText } from '../../board/whole-text';
import { boardOf, memberTool, saidAnswer, TASK_ID } from './of-member';
import { taskArgument } from './task-arguments';

export const CLAIM_TASK = memberTool({
  description:
    'Claims a task of the board for you, and says what is to be done. If you cannot have it, the answer says who has it, what blocks it, or which role it takes.',
  required: ['task_id'],
  properties: { task_id: TASK_ID },
  async call(args, use) {
    const answer = await boardOf(use).decide({ kind: 'claim_task', task: taskArgument(args) });
    const claimed: unknown = field(answer.said, 'claimed');
    if (answer.refused || claimed === undefined) return saidAnswer(answer);
    // The next work begins with its text.
    if (field(answer.said, 'begins_with_next_work') === true) return { ...saidAnswer(answer), effect: { ends: 'claimed' } };
    // The run's own answer.
    const { id, subject, description, returned } = claimed as Claimed;
    const text = async (ref: ArtifactRef | undefined) => ref && (await wholeText(use.toolbox.artifacts, ref));
    const texts = { description: await text(description), reason: await text(returned?.whole) };
    return { text: workText({ begins: 'task', task: { number: id, subject, ...defined({ returned }) } }, defined(texts)) };
  },
});

interface Claimed {
  id: TaskNumber;
  subject: string;
  description?: ArtifactRef;
  returned?: ReturnedTask;
}
