import { type Alert, happened } from './alert.ts';

/** Alerts about the bot's work for people: on appliances, and in its messages. */
export const ofItsWork: readonly Alert[] = [
  {
    name: 'ApplianceBotTimedChangeOverdue',
    expr: 'max by (job) (appliance_bot_timed_changes_overdue) > 0',
    for: '5m',
    severity: 'critical',
    summary: 'Something that should have ended five minutes ago is still on',
    events: ['timed_change_not_ended', 'timed_change_people_called', 'timed_change_left_to_people'],
    means:
      'Emergency mode, or another temporary change, is past its end. The bot tries again, with pauses up to an hour.',
    steps: [
      '`temporary` in Slack names it; the log lines have its action, the appliance and the reason.',
      'End it on the appliance. The bot sees it within the next try, and reports it as over.',
      '`timed_change_left_to_people`: somebody has changed it since, and the bot overwrites nobody. Decide, and undo it by hand.',
    ],
  },
  {
    name: 'ApplianceBotApplianceDown',
    expr: 'appliance_bot_appliance_up == 0',
    for: '2m',
    severity: 'warning',
    summary: 'Appliance {{ $labels.appliance }} does not answer the bot, or refuses it',
    events: ['appliance_away', 'appliance_refuses'],
    means:
      'By the requests that people or the bot make anyway; the bot asks nothing for it. It stays so until the next request is answered: type `status` to have one made.',
    steps: [
      '`appliance_away`: look whether the appliance is up, and whether its port can be reached from the bot.',
      '`appliance_refuses`: its `obstacle` says what it refuses: the key, the login, the bot’s address, or everything for want of a license. docs/logs.md has what to do for each.',
      '`appliance_bot_appliance_area_up` says which area of its API is not up, for one that has trouble with some calls only.',
      '`appliance-bot doctor` asks each appliance and says which it is.',
    ],
  },
  {
    name: 'ApplianceBotOutcomeUnknown',
    expr: 'increase(appliance_bot_commands_total{outcome="unknown"}[15m]) > 0',
    severity: 'warning',
    summary: 'Nobody knows whether a change was made',
    events: ['outcome_unknown'],
    means:
      'An order may have reached the appliance, and reading back did not tell. It is never sent again by itself.',
    steps: [
      'The log line `outcome_unknown` has the action. `show` with its ID says what was sent and what came back.',
      'Look on the appliance whether it happened, and tell the thread.',
    ],
  },
  {
    name: 'ApplianceBotMessagesWait',
    expr: 'max by (job) (appliance_bot_outbox_oldest_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'A message has waited for more than a quarter of an hour to be taken by Slack',
    events: ['message_waits', 'message_sending_failed'],
    means: 'Somebody has not read how their command ended. Messages stay in the journal and are tried again.',
    steps: [
      'If Slack is reached, look at `message_waits` in the log: its `code` is Slack’s reason.',
      '`not_in_channel`, `is_archived`: invite the bot, or change the policy.',
      'Thousands at once after an outage go out at Slack’s pace; that takes hours, and needs nothing.',
    ],
  },
  {
    name: 'ApplianceBotNotTold',
    expr: happened(
      'message_refused',
      'person_not_told',
      'direct_message_failed',
      'private_answer_not_kept',
      'message_unreadable',
    ),
    severity: 'warning',
    summary: 'Somebody was not told how their command ended, and will not be',
    events: [
      'message_refused',
      'person_not_told',
      'direct_message_failed',
      'private_answer_not_kept',
      'message_unreadable',
    ],
    means:
      'Slack’s answer was final, or the journal could not keep the message. The commands themselves are done.',
    steps: [
      'The line in the log has Slack’s `code`, and the action or the person. `show` with what the line has as `called` says how it ended.',
      '`not_in_channel`, `channel_not_found`, `is_archived`: invite the bot, or change the policy. `user_not_in_channel`: whoever asked has left.',
    ],
  },
  {
    name: 'ApplianceBotWebhooksWait',
    expr: 'max by (job) (appliance_bot_webhooks_oldest_seconds) > 3600',
    severity: 'warning',
    summary: 'The receiver of webhooks has taken nothing for an hour',
    events: ['webhook_failed', 'webhook_receiver_gone'],
    means: 'After a day each delivery is given up, and the receiver never hears of it.',
    steps: ['Tell whoever runs the receiver. docs/webhooks.md says what it must answer.'],
  },
];
