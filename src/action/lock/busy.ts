import { type JournalUnavailable, journalTroubles } from '../../journal/unavailable.ts';

/** Its turn did not come, or came too late, so the order was not sent. */
export class ApplianceBusy extends Error {
  override readonly name = 'ApplianceBusy';
  readonly code: 'busy' | 'changed' | 'evicted' | 'restarting';

  constructor(message: string, code: ApplianceBusy['code'] = 'busy') {
    super(message);
    this.code = code;
  }
}

/** What cannot be written down is not sent. */
export function unsent({ trouble }: JournalUnavailable): ApplianceBusy {
  const { is, until } = journalTroubles[trouble];
  return new ApplianceBusy(`This was not sent: ${is}. ${until}`);
}

export const busyWith = (appliance: string): ApplianceBusy =>
  new ApplianceBusy(
    `Another change has been under way on ${appliance} for a quarter of an hour, so this one was not sent. Try again when it has finished.`,
  );

export const restarting = (): ApplianceBusy =>
  new ApplianceBusy(
    'Appliance Bot was restarted before this was sent, so it was not sent. Run it again.',
    'restarting',
  );

export const takenOver = (): ApplianceBusy =>
  new ApplianceBusy(
    'Another replica of the bot took this over, because this one did not respond for a while, so it was not sent.',
    'evicted',
  );
