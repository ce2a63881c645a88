import { defined } from '../../plan/defined';
import type { Description } from '../../plan/steps/description';
import { duration } from '../../plan/text/duration';
import type { WaitStep } from './model';

export interface ShownWait {
  kind: 'wait';
  forMs?: number;
  until?: string;
  zone?: string;
  signal?: string;
}

export const WAIT_DESCRIPTION: Description<WaitStep, ShownWait> = {
  data: ({ forMs, until, zone, signal }, words) => ({
    kind: 'wait',
    ...defined({ forMs, until: until && words.text([until]), zone, signal }),
  }),
  line({ forMs, until, zone, signal }) {
    if (signal !== undefined) return `wait for the signal ${signal}`;
    return until === undefined ? `wait ${duration(forMs ?? 0)}` : `wait until ${until}${zone === undefined ? '' : ` (${zone})`}`;
  },
  facts: () => [],
  label: ({ signal }) => (signal === undefined ? undefined : `signal ${signal}`),
  shape: 'pause',
};
