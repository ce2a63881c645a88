import type { ChannelMessage } from '../../channel-port';

/** A button of a message, and its payload when a person presses it: `thermidor:<choice>:<key of the gate>`. */
export interface MessageButton {
  choice: string;
  id: string;
  style: 'good' | 'bad' | 'plain';
}

/** Discord's limit, the strictest of all. */
const ID_LIMIT = 100;
/** A map, because a choice may have the name of an inherited property. */
const STYLES: ReadonlyMap<string, MessageButton['style']> = new Map([
  ['approve', 'good'],
  ['reject', 'bad'],
]);

/**
 * The choices of an approval or an escalation that can be buttons, in their order, at most `most`; approving and rejecting ones come first
 * if there is no room for all. Gates that need more than a choice have none.
 */
export function buttonsOf({ gate }: ChannelMessage, most: number): MessageButton[] {
  if (!gate || gate.key === '' || (gate.kind !== 'approval' && gate.kind !== 'escalation')) return [];
  const buttons = [...new Set(gate.choices)]
    .map((choice): MessageButton => ({ choice, id: `thermidor:${choice}:${gate.key}`, style: STYLES.get(choice) ?? 'plain' }))
    .filter(({ choice, id }) => choice.trim() !== '' && id.length <= ID_LIMIT);
  const kept = new Set([...buttons.filter(({ style }) => style !== 'plain'), ...buttons].slice(0, most));
  return buttons.filter((button) => kept.has(button));
}
