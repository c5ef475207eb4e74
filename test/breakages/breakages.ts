import type { Breakage } from './breakage.ts';

/** Picked from the rules (docs/decisions), and not from what the source looks like. */
export const breakages: readonly Breakage[] = [
  {
    name: 'an order of an evicted replica',
    rule: 'A replica that was evicted orders nothing when it wakes.',
    edits: [
      {
        file: 'src/api/wire/exchange.ts',
        find: "          if (!mayLeave()) fail('withheld', 'WITHHELD');\n",
        put: '',
      },
    ],
    seenBy: [
      { file: 'test/long/before-order.test.ts', test: 'a confirmed change (POST)' },
      { file: 'test/long/before-order.test.ts', test: 'a deletion (DELETE)' },
      { file: 'test/long/before-order.test.ts', test: 'a change that can be undone (GET)' },
      { file: 'test/long/before-order.test.ts', test: 'the second order of one change (PUT)' },
      { file: 'test/long/before-order.test.ts', test: 'a list of hundreds (POST)' },
      { file: 'test/long/before-order.test.ts', test: 'the beginning of a temporary change' },
      { file: 'test/long/before-order.test.ts', test: 'the end of a temporary change' },
      { file: 'test/long/before-order.test.ts', test: 'an undo' },
      { file: 'test/long/before-order.test.ts', test: 'a planned change at its time' },
      { file: 'test/long/before-order.test.ts', test: 'the second line of a plan' },
      { file: 'test/long/before-order.test.ts', test: 'emergency mode' },
      { file: 'test/long/before-order.test.ts', test: 'the end of emergency mode' },
      { file: 'test/long/before-order.test.ts', test: 'a compile, which the other one sends' },
    ],
  },
  {
    name: 'one click too many',
    rule: 'Of fifty clicks on one button one counts.',
    edits: [
      {
        file: 'src/journal/actions/actions.ts',
        find: ".where('state', '=', state)\n        .$if(token",
        put: '.$if(token',
      },
    ],
    seenBy: [{ file: 'test/disconnect.test.ts', test: 'runs once when it is clicked fifty times at once' }],
  },
  {
    name: 'a button of an earlier question',
    rule: 'A click on an earlier question does not confirm the one that has taken its place.',
    edits: [
      {
        file: 'src/journal/actions/actions.ts',
        find: ".$if(token !== undefined, (query) => query.where('token', '=', token ?? ''))\n",
        put: '',
      },
      {
        file: 'src/journal/actions/actions.ts',
        find: "byToken: async (token) => readOne(await select().where('token', '=', token).executeTakeFirst()),",
        put: "byToken: async () => readOne(await select().where('state', '=', 'waiting').executeTakeFirst()),",
      },
    ],
    seenBy: [
      { file: 'test/disconnect.test.ts', test: 'answers a click on outdated buttons that it is over' },
    ],
  },
  {
    name: 'Undo pressed twice',
    rule: 'What a button offers is done once.',
    edits: [
      { file: 'src/journal/actions/tokens.ts', find: "        .where('taken_by', 'is', null)\n", put: '' },
    ],
    seenBy: [
      {
        file: 'test/audit.test.ts',
        test: 'names a refused click on an offer that is taken, or over',
      },
    ],
  },
  {
    name: 'a delivery taken twice',
    rule: 'Slack may deliver a line or a click twice, and it counts once.',
    edits: [
      {
        file: 'src/journal/delivery/deliveries.ts',
        find: 'return taken !== undefined;',
        put: 'return true;',
      },
    ],
    seenBy: [
      { file: 'test/long/once.test.ts', test: 'delivers a line twice, it runs once; and a click twice' },
    ],
  },
  {
    name: 'a message sent again unlooked',
    rule: 'A message that may have been delivered is looked for, and not simply sent again.',
    edits: [
      {
        file: 'src/action/outbox/outbox-dispatcher.ts',
        find: 'isMaybeDelivered ? await chat.find(place, key, createdAt) : undefined',
        put: 'undefined as Awaited<ReturnType<typeof chat.find>> | undefined',
      },
    ],
    seenBy: [
      {
        file: 'test/long/once.test.ts',
        test: 'breaks off before it confirms a result, the bot looks for it',
      },
    ],
  },
  {
    name: 'no doubt of what a dead replica was sending',
    rule: 'What a bot that died may have sent is looked for, and not simply sent again.',
    edits: [
      {
        file: 'src/journal/claims.ts',
        find: 'orphaned: { maybe_delivered: 1, next_try_at: 0 },',
        put: 'orphaned: { maybe_delivered: 0, next_try_at: 0 },',
      },
    ],
    seenBy: [
      { file: 'test/long/kill.test.ts', test: 'when Slack has taken its message, and has not said so' },
    ],
  },
  {
    name: 'an order in doubt called unsent',
    rule: 'An order that may have been sent before a crash is read back.',
    edits: [
      {
        file: 'src/action/background/recovery.ts',
        find: '((await isBegun(action)) ? doubt(action) : notSent(action))',
        put: 'notSent(action)',
      },
    ],
    seenBy: [
      {
        file: 'test/long/restart.test.ts',
        test: 'a change that was under way and did happen is read back and reported as done',
      },
    ],
  },
  {
    name: 'an order in doubt sent again',
    rule: 'An order that may have been sent before a crash is not sent again.',
    edits: [
      {
        file: 'src/action/background/recovery.ts',
        find: 'if (canLook) return running.lookAfter(unknown, command);',
        put: 'if (canLook) return running.run(unknown, unknown, command);',
      },
    ],
    seenBy: [
      {
        file: 'test/long/restart.test.ts',
        test: 'a change that was under way and did not happen is read back, reported, and not run again',
      },
    ],
  },
  {
    name: 'a broken order retried',
    rule: 'Only what certainly never left is sent again, unless it changes nothing.',
    edits: [{ file: 'src/api/wire/retry.ts', find: "  if (effect !== 'read') return false;\n", put: '' }],
    seenBy: [
      {
        file: 'test/disconnect.test.ts',
        test: 'checks the effect when the connection breaks, and does not send it twice',
      },
    ],
  },
  {
    name: 'webhooks out of order',
    rule: 'Another system is told of one change in its order: what comes after a refused delivery waits.',
    edits: [
      {
        file: 'src/action/outbox/webhook-dispatcher.ts',
        find: 'if ((await tell(next)) && !isStopping()) continue;',
        put: 'await tell(next);\n      if (!isStopping()) continue;',
      },
    ],
    seenBy: [
      {
        file: 'test/webhooks.test.ts',
        test: 'a refused delivery is repeated with the same key and body, and only the same change’s later ones wait',
      },
    ],
  },
  {
    name: 'messages of a card out of order',
    rule: 'What is told of one card is told in its order: what comes after a message that waits, waits with it.',
    edits: [
      {
        file: 'src/journal/delivery/outbox.ts',
        find: "const rows = await claims.claimGroup(\n        ({ eb }) => eb('ordering_key', '=', orderingKey),\n        ({ and, or }) => and([or([claims.isFree(), claims.isMine()]), claims.isDue()]),\n        mostClaimed,\n      );",
        put: "const rows = (await claims.claim(({ and, or, eb }) =>\n        and([eb('ordering_key', '=', orderingKey), or([claims.isFree(), claims.isMine()]), claims.isDue()]),\n      )).slice(0, mostClaimed);",
      },
    ],
    seenBy: [
      {
        file: 'test/long/once.test.ts',
        test: 'what is told of the same card afterwards waits, and stands behind it',
      },
    ],
  },
  {
    name: 'work of a dead replica left lying',
    rule: 'A hold ends with its holder: what a replica that is gone held goes on at another one.',
    edits: [
      {
        file: 'src/journal/replicas/replicas.ts',
        find: 'if (orphaned.has(table)) await freeAll(claimsOn(table, store, replica, now));',
        put: '',
      },
    ],
    seenBy: [{ file: 'test/long/replicas.test.ts', test: 'an action of a killed replica is read back' }],
  },
  {
    name: 'claimed by several',
    rule: 'Of several replicas that find the same work one does it.',
    edits: [
      {
        file: 'src/journal/claims.ts',
        find: 'const isNobodys = sql<SqlBool>`held_by is null`;',
        put: 'const isNobodys = sql<SqlBool>`true`;',
      },
    ],
    seenBy: [
      {
        file: 'test/long/three-replicas.test.ts',
        test: 'send once what Slack did not take at first, though all of them find it',
      },
    ],
  },
  {
    name: 'two orders at once',
    rule: 'One order at a time is sent to an appliance, by all replicas together.',
    edits: [
      {
        file: 'src/action/lock/appliance-locks.ts',
        find: 'const release = await hold(journal, key, wait, until);',
        put: 'const release = await hold(journal, `${key} ${Math.random()}`, wait, until);',
      },
    ],
    seenBy: [
      {
        file: 'test/long/three-replicas.test.ts',
        test: 'send two changes to one appliance one after the other, and the one that waits says so',
      },
    ],
  },
  {
    name: 'deleted by one clock',
    rule: 'Nothing is deleted for good by a clock that was wrong for a moment.',
    edits: [
      {
        file: 'src/certain-time.ts',
        find: 'Math.min(own(), elapsed() + Math.min(began, ...others.values()))',
        put: 'Math.max(own(), elapsed() + Math.min(began, ...others.values()))',
      },
    ],
    seenBy: [
      {
        file: 'test/wrong-clock.test.ts',
        test: 'off by 400 days for 20 seconds deletes nothing for good',
      },
    ],
  },
  {
    name: 'due by a replica’s own clock',
    rule: 'What is due goes by the database’s clock, and not by that of a replica whose clock is off.',
    edits: [
      {
        file: 'src/journal/replicas/shared-clock.ts',
        find: 'Math.abs(ahead) > tolerable ? ahead : 0',
        put: 'false ? ahead : 0',
      },
    ],
    seenBy: [
      {
        file: 'test/long/planned-replicas.test.ts',
        test: 'run nothing sooner or later with one whose clock is off',
      },
    ],
  },
  {
    name: 'a restore not noticed',
    rule: 'A journal that was restored from a backup is noticed, and the admins are told.',
    edits: [
      {
        file: 'src/action/background/restored.ts',
        find: 'if (lost !== undefined) await begin(lost);',
        put: '',
      },
    ],
    seenBy: [{ file: 'test/long/restore.test.ts', test: 'the bot notices it, tells the admins once' }],
  },
  {
    name: 'approved by one person for two',
    rule: 'Two approvals are those of two people, whatever accounts they have.',
    edits: [
      {
        file: 'src/action/approval/approvals.ts',
        find: 'counting.flatMap(({ needs, human }) => (needs.includes(need) ? [human] : []))',
        put: 'counting.flatMap(({ needs, person }) => (needs.includes(need) ? [person] : []))',
      },
      {
        file: 'src/action/approval/approvals.ts',
        find: 'human: mine.human,\n',
        put: 'human: press.person,\n',
      },
    ],
    seenBy: [
      { file: 'test/approvals.test.ts', test: 'is not approved twice by one human with two accounts' },
    ],
  },
  {
    name: 'approved by whoever asks',
    rule: 'Nobody approves what they have asked for, with their other account either.',
    edits: [
      {
        file: 'src/action/approval/approvals.ts',
        find: 'if (!isOther || theirs.human === human)',
        put: 'if (false)',
      },
    ],
    seenBy: [
      {
        file: 'test/approvals.test.ts',
        test: 'is not approved by the requester, with their other account either',
      },
    ],
  },
  {
    name: 'approvals of another question',
    rule: 'Approvals are of one question: when what it would do changes, they count no more.',
    edits: [
      {
        file: 'src/journal/actions/approvals.ts',
        find: "        .where('question', '=', question)\n",
        put: '',
      },
    ],
    seenBy: [{ file: 'test/approvals.test.ts', test: 'shows the approvers what it hits: when that changes' }],
  },
  {
    name: 'run although it hits something else',
    rule: 'You confirm what you saw: at the click the preview is taken again.',
    edits: [
      {
        file: 'src/action/change/recheck.ts',
        find: 'if (!isSame(then, shown.targets)) {',
        put: 'if (false) {',
      },
    ],
    seenBy: [
      {
        file: 'test/disconnect.test.ts',
        test: "does nothing when the session is someone else's by then",
      },
    ],
  },
  {
    name: 'run without the role',
    rule: 'Whoever has lost their role runs nothing that they had asked for.',
    edits: [
      {
        file: 'src/action/approval/approvals.ts',
        find: 'if (fault !== undefined || consent === undefined) return fault;',
        put: 'if (consent === undefined) return undefined;',
      },
    ],
    seenBy: [{ file: 'test/disconnect.test.ts', test: 'checks the role again at the click' }],
  },
  {
    name: 'a preview that is not theirs to see',
    rule: 'Whoever may not look something up is not shown it on the card of what they ask others for.',
    edits: [
      {
        file: 'src/action/showing/card.ts',
        find: '  !isConsentReadable(action) ||\n  (command !== undefined &&',
        put: '  !isConsentReadable(action) ||\n  (command === undefined &&',
      },
    ],
    seenBy: [
      {
        file: 'test/approvals.test.ts',
        test: 'shows the exact command to the people who may run it',
      },
    ],
  },
  {
    name: 'a hidden preview for anybody who presses',
    rule: 'The preview that a card withholds is shown only to those who may agree to it.',
    edits: [
      {
        file: 'src/action/change/confirmation.ts',
        find: 'const fault = await approvals.bar(press, action, command);\n    if (fault !== undefined) return decline(press, action, fault);\n    await journal.note',
        put: 'await journal.note',
      },
    ],
    seenBy: [
      {
        file: 'test/approvals.test.ts',
        test: 'does not bypass the rules: neither the requester nor somebody',
      },
    ],
  },
  {
    name: 'acknowledged before it is written',
    rule: 'A line that Slack saw acknowledged is never lost.',
    edits: [
      {
        file: 'src/bot/in/inbound.ts',
        find: "await (way.kind === 'command' ? forAMoment(stored, soon) : stored);",
        put: 'await acknowledge(ack, log).finally(isAcknowledged);\n      await stored;',
      },
    ],
    seenBy: [
      {
        file: 'test/mention-acknowledged.test.ts',
        test: 'is acknowledged when it is recorded, and not before',
      },
    ],
  },
  {
    name: 'an acknowledged line forgotten',
    rule: 'Whoever typed a line that a killed bot had acknowledged hears of it after its start.',
    edits: [
      {
        file: 'src/action/background/recovery.ts',
        find: 'await Promise.all([giveBack(), tellMissed(), ...ends.values(), ...plans.map(goOn)]);',
        put: 'await Promise.all([giveBack(), ...ends.values(), ...plans.map(goOn)]);',
      },
    ],
    seenBy: [{ file: 'test/long/acknowledged.test.ts', test: 'a bot that is killed' }],
  },
  {
    name: 'done without being seen',
    rule: 'A yes of the appliance is no proof: done is what was seen.',
    edits: [
      {
        file: 'src/action/change/execute.ts',
        find: "return isSettled ? { kind, order, evidence } : { kind: 'not_yet', order, evidence, isUnderWay: false };",
        put: "return isSettled ? { kind, order, evidence } : { kind: 'happened', order, evidence };",
      },
    ],
    seenBy: [
      {
        file: 'test/disconnect.test.ts',
        test: 'says so when the appliance claims success and nothing happened',
      },
    ],
  },
  {
    name: 'not visible is failed',
    rule: 'What was accepted and is not visible yet is neither done nor failed: the bot goes on looking.',
    edits: [
      {
        file: 'src/action/change/execute.ts',
        find: "return kind === 'not_yet' || kind === 'unreadable';",
        put: "return kind === 'unreadable';",
      },
    ],
    seenBy: [
      {
        file: 'test/not-visible-yet.test.ts',
        test: 'is neither done nor failed, names the end of the bot’s checks',
      },
    ],
  },
  {
    name: 'two holders of one thing',
    rule: 'What somebody has on for a time is theirs: whoever else wants it reads until when, and extends it.',
    edits: [
      {
        file: 'src/action/holding/holders.ts',
        find: 'if (held.length === 0) return undefined;\n  const offers',
        put: 'if (held.length >= 0) return undefined;\n  const offers',
      },
    ],
    seenBy: [
      { file: 'test/one-holder.test.ts', test: 'is theirs: whoever wants it for longer reads until when' },
    ],
  },
  {
    name: 'an end over somebody’s edit',
    rule: 'At its end a temporary change takes nothing back that somebody has changed since: people decide.',
    edits: [
      {
        file: 'src/action/timed/end.ts',
        find: "if (found.kind === 'changed') return { kind: 'changed', problem: found.evidence };",
        put: "if (found.kind === 'changed') return { kind: 'over', ended: { how: 'found', says: '' } };",
      },
    ],
    seenBy: [{ file: 'test/temporary.test.ts', test: 'is not undone where somebody has changed it since' }],
  },
  {
    name: 'emergency called over without proof',
    rule: 'Emergency mode is over when that was seen, or somebody says so in their own name.',
    edits: [
      {
        file: 'src/action/timed/end.ts',
        find: "if (found.kind === 'unshown') return { kind: 'not_checkable', why: found.why };\n  const { evidence } = found;\n  return found.kind === 'over'",
        put: "if (found.kind === 'unshown') return { kind: 'not_checkable', why: found.why };\n  const { evidence } = found;\n  return found.kind !== 'lasts'",
      },
    ],
    seenBy: [{ file: 'test/emergency.test.ts', test: 'is not called over without proof' }],
  },
  {
    name: 'emergency that does not end',
    rule: 'Emergency mode ends at its time, also when that passed while the bot was down.',
    edits: [
      {
        file: 'src/action/timed/end.ts',
        find: 'if (!(await journal.orderTimedEnd(timedChange.id)))',
        put: 'if (true)',
      },
    ],
    seenBy: [
      { file: 'test/emergency.test.ts', test: 'is on until its end, counted from the approval' },
      {
        file: 'test/emergency.test.ts',
        test: 'ends at the next start when its time passed while the bot was down',
      },
    ],
  },
  {
    name: 'a channel that is not in the policy',
    rule: 'Denied by default: in a channel that the policy does not name nothing is served.',
    edits: [
      {
        file: 'src/auth/decide.ts',
        find: 'isAllowed: isOpen || (by.length > 0 && isSafe)',
        put: 'isAllowed: isOpen || channel === undefined || (by.length > 0 && isSafe)',
      },
    ],
    seenBy: [
      {
        file: 'test/mentions.test.ts',
        test: 'a mention in a disabled channel is told so, and asks no appliance',
      },
    ],
  },
  {
    name: 'whoever cannot be looked up',
    rule: 'A guard that fails, denies: nobody runs anything while Slack does not say who they are.',
    edits: [
      {
        file: 'src/auth/decide.ts',
        find: "    case 'deactivated':\n    case 'lookup_failed':\n      return [];\n  }\n}\n\n/** The person as if",
        put: "    case 'deactivated':\n      return [];\n    case 'lookup_failed':\n      return [everyone];\n  }\n}\n\n/** The person as if",
      },
    ],
    seenBy: [{ file: 'test/refusals.test.ts', test: 'is refused when Slack cannot identify them' }],
  },
  {
    name: 'changes where another organization reads',
    rule: 'In a channel that is shared with another organization nothing is changed.',
    edits: [
      {
        file: 'src/auth/decide.ts',
        find: "where.place === 'own' || channel?.sharedWrites === true",
        put: 'true',
      },
    ],
    seenBy: [{ file: 'test/approvals.test.ts', test: 'can run lookups, and no changes' }],
  },
  {
    name: 'text of an appliance unescaped',
    rule: 'No text of an appliance becomes a mention, a link or formatting.',
    edits: [
      {
        file: 'src/bot/rendering/slack-text.ts',
        find: "text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')",
        put: 'text',
      },
    ],
    seenBy: [{ file: 'test/trouble.test.ts', test: 'never becomes a mention, a link or formatting' }],
  },
  {
    name: 'a secret in the log',
    rule: 'No secret stands in the log.',
    edits: [
      {
        file: 'src/telemetry/log.ts',
        find: 'hooks: { streamWrite: withoutSecrets },',
        put: '',
      },
    ],
    seenBy: [
      {
        file: 'test/long/crash.test.ts',
        test: 'without a handler is logged with its stack and without secrets',
      },
    ],
  },
  {
    name: 'a password in the journal',
    rule: 'A password from a form stands nowhere in plain text.',
    edits: [
      {
        file: 'src/action/base/secret-store.ts',
        find: 'sealing.map((key) => seal(key, action, text)).join(separator)',
        put: '[text, ...sealing.map((key) => seal(key, action, text))].join(separator)',
      },
    ],
    seenBy: [
      {
        file: 'test/long/three-replicas.test.ts',
        test: 'use a password at one that a form brought to another, and the database never shows it',
      },
    ],
  },
  {
    name: 'deleted while it is on',
    rule: 'Retention deletes nothing of what is still on, or still to be compiled.',
    edits: [
      {
        file: 'src/journal/audit/pruning.ts',
        find: "      .where('id', 'not in', pending().union(timed()))\n      .where('id', 'not in', plans());",
        put: "      .where('id', 'not in', plans());",
      },
    ],
    seenBy: [{ file: 'test/audit.test.ts', test: 'deletes nothing of a change that is still on' }],
  },
  {
    name: 'an altered record passes',
    rule: 'Whoever alters a record of the audit is found out.',
    edits: [
      {
        file: 'src/journal/audit/verify/chain.ts',
        find: 'if (digestOf(row, end.digest) !== row.digest) return changed',
        put: 'if (false) return changed',
      },
    ],
    seenBy: [{ file: 'test/audit-tool.test.ts', test: 'names the first broken record, and ends with 1' }],
  },
  {
    name: 'a planned change that hits something else',
    rule: 'A planned change runs as it was agreed to, or not at all.',
    edits: [
      {
        file: 'src/action/due/due.ts',
        find: 'if (!seen.isSame) {',
        put: 'if (seen.unread !== undefined) {',
      },
    ],
    seenBy: [{ file: 'test/planned.test.ts', test: 'does not run when its object has changed by then' }],
  },
  {
    name: 'a card that does not expire',
    rule: 'A click counts to the millisecond until the time of its card is over.',
    edits: [
      {
        file: 'src/action/change/confirmation.ts',
        find: 'if (obstacle !== undefined) return decline(press, action, obstacle);\n    if (endings.isOver(action)) return tooLate(press, action);',
        put: 'if (obstacle !== undefined) return decline(press, action, obstacle);',
      },
    ],
    seenBy: [
      { file: 'test/disconnect.test.ts', test: 'is refused to the millisecond once its time is over' },
    ],
  },
  {
    name: 'a compile forgotten by a crash',
    rule: 'A change that has to be compiled is not over before the journal knows that.',
    edits: [
      {
        file: 'src/action/change/run.ts',
        find: 'if (!isLookedForAgain(running)) await noteApplies(changed, command, running);\n',
        put: '',
      },
      {
        file: 'src/action/change/run.ts',
        find: 'await supervision.after(running, command);\n    for (const',
        put: 'await supervision.after(running, command);\n    if (!isLookedForAgain(running)) await noteApplies(changed, command, running);\n    for (const',
      },
    ],
    seenBy: [
      {
        file: 'test/apply.test.ts',
        test: "the journal has a change's pending compile before its end: a crash would lose it",
      },
    ],
  },
  {
    name: 'emergency mode in the queue',
    rule: 'Emergency mode waits for no other change.',
    edits: [
      {
        file: 'src/action/lock/appliance-locks.ts',
        find: 'const urgentOn = (appliance: string): string => `${onAppliance(appliance)} urgent`;',
        put: 'const urgentOn = (appliance: string): string => onAppliance(appliance);',
      },
    ],
    seenBy: [
      {
        file: 'test/long/bulk-beside.test.ts',
        test: 'emergency mode gets through at once while thousands wait',
      },
    ],
  },
  {
    name: 'ended a second time after a restore',
    rule: 'What was under way in a backup and has ended since is not ended a second time when that is restored.',
    edits: [
      {
        file: 'src/action/background/recovery.ts',
        find: '    if (action.changedAt <= (await generations.restoredUntil())) return lose(action);\n',
        put: '',
      },
    ],
    seenBy: [
      {
        file: 'test/long/restore.test.ts',
        test: 'an action that was under way in the backup is not ended a second time',
      },
    ],
  },
  {
    name: 'a dry run that sends',
    rule: 'Whoever only looks changes nothing: a dry run sends no order.',
    edits: [
      {
        file: 'src/api/dry-run.ts',
        find: "if (endpoint.effect === 'read') return send(call);",
        put: 'if (endpoint.effect !== undefined) return send(call);',
      },
    ],
    seenBy: [
      {
        file: 'test/approval-ways-around.test.ts',
        test: 'for a dry run shows nothing before somebody has agreed',
      },
    ],
  },
  {
    name: 'finished by whoever does not hold it any more',
    rule: 'A replica that was evicted and takes part again does not go on with what another one has taken over.',
    edits: [
      {
        file: 'src/journal/replicas/replicas.ts',
        find: '      if (running !== undefined && !(await isHeld(running))) throw new Evicted();\n',
        put: '',
      },
    ],
    seenBy: [{ file: 'test/long/before-order.test.ts', test: 'a list that is still looked up' }],
  },
  {
    name: 'ended by two',
    rule: 'An end is ordered by one replica: one that stood still before its order leaves it to the other.',
    edits: [
      {
        file: 'src/action/timed/end.ts',
        find: '        withinFence(fence, () =>\n',
        put: '        withinFence(undefined, () =>\n',
      },
    ],
    seenBy: [
      { file: 'test/long/before-order.test.ts', test: 'the end of a temporary change' },
      { file: 'test/long/before-order.test.ts', test: 'the end of emergency mode' },
    ],
  },
];
