import { defined } from '../../plan/defined';
import type { Description } from '../../plan/steps/description';
import { fact } from '../../plan/steps/description-parts';
import type { NotifyStep } from './model';

export interface ShownNotify {
  kind: 'notify';
  channel: string;
  message: string;
  report?: string;
}

export const NOTIFY_DESCRIPTION: Description<NotifyStep, ShownNotify> = {
  data: ({ channel, message, report }, words) => ({
    kind: 'notify',
    channel,
    message: words.text(message),
    ...defined({ report }),
  }),
  line: ({ channel, report }) => `notify ${channel}${report === undefined ? '' : `, with the output of ${report}`}`,
  facts: ({ message }) => fact('message', message),
  label: ({ channel }) => channel,
  shape: 'message',
};
