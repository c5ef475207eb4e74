import { distance } from 'fastest-levenshtein';

/** Whether somebody asks or orders, as far as the line tells. */
export type Mood = 'question' | 'order' | 'unclear';

const asks =
  /^(?:(?:under|in|on|at|to|for|from|by|with|since|until|auf|unter|von|zu|seit) (?:which|what|whom|whose|when|wann|welche[mnrs]?|wem|wen)|give me|let me (?:see|know)|i (?:want|need) to (?:see|know)|is|are|was|were|am|do|does|did|can (?!you\b|u\b)|has|have|who|whom|whose|what|whats|what's|which|why|how|when|where|wheres|where's|any|anyone|check|show|list|display|view|see|find|search|look|lookup|tell|count|get|status|test|verify|explain|wer|was|wie|warum|wo|welche)\b/i;
const orders =
  /^(?:open (?:up|the|everything|it|all|internet)|exempt|bypass|join|leave|watch|exclude|decrypt|renew|register|publish|assign|authorize|withdraw|save|export|import|restore|re-?enable|rejoin|add|put|insert|append|create|make|new|delete|remove|rm|del|drop|erase|clear|purge|flush|move|change|set|edit|rename|modify|update|upgrade|install|uninstall|enable|disable|activate|deactivate|turn|switch|start|stop|restart|reboot|reload|reset|unlock|lock|block|unblock|allow|deny|permit|ban|whitelist|blacklist|kick|kill|disconnect|connect|reconnect|terminate|close|end|log ?off|logout|throw|give|grant|revoke|take|link|unlink|attach|detach|compile|recompile|build|rebuild|apply|deploy|refresh|sync|run|trigger|bring|shut|force|let|undo|rollback|revert|upload|backup|back up|extend|prolong|reconfigure|sperre|entsperre|freigeben|freischalten)\b/i;

/** "eth1.31 is down" and "bob can't log in" want to know why before anything is changed. */
const symptom =
  /^(?:[\w.-]+ ){1,3}(?:is|are|seems|looks) (?:\w+ )?(?:down|offline|unreachable|slow|blocked|denied|forbidden)(?: for [\w.-]+)?$|^[\w-]+\.[\w.-]+ (?:is |was |got |says )?(?:blocked|denied|forbidden)\b|\b(?:nothing happens|no effect|cant|can['’]t|cannot|can not|unable to|does not|won['’]t)\b/i;

const forbids = /^(?:do not|don['’]?t|never|no more)\b/i;

/** These are nothing but orders, wherever they stand: "acl object delete 3". */
const ordersAnywhere =
  /\b(?:delete|remove|disable|enable|disconnect|create|restart|unlink|revoke|kick|kill|unblock|rename)\b/i;

const orderWords = orders.source.match(/[a-z]{5,}/g) ?? [];

/** "blcok": letters that changed places, or one that is another. */
function isSlipOfAnOrder(word: string): boolean {
  if (!/^[a-z]{5,}$/i.test(word)) return false;
  const letters = [...word.toLowerCase()].toSorted().join('');
  return orderWords.some(
    (order) =>
      order.length === word.length &&
      (distance(order, word.toLowerCase()) === 1 || [...order].toSorted().join('') === letters),
  );
}

/** A line without its manners (`line.ts`), and whether a question mark stood behind it. */
export function moodOf(line: string, isAsked: boolean): Mood {
  const moods = line.split(/[,;.!] /).map((clause) => moodIn(clause.trim()));
  const [first] = moods;
  if (first !== undefined && first !== 'unclear') return first;
  // "AD is back, stop the emergency": what is wanted may come last.
  const later = moods.find((mood) => mood !== 'unclear');
  return (
    later ?? (isAsked || symptom.test(line) ? 'question' : ordersAnywhere.test(line) ? 'order' : 'unclear')
  );
}

function moodIn(line: string): Mood {
  // "can you …", "i need you to …" and the like are manners before an order.
  const plain = line
    .replace(/^.*\b(?:wants? to know|like to know|wonder(?:s|ing)?)\b(?: if| whether)? ?/i, 'which ')
    .replace(
      /^(?:(?:i|we) (?:want|need|would like|have)(?: you)? to |need to |want to |how (?:do|can) (?:i|we) |pls |please )/i,
      '',
    );
  // "do not inspect" orders, and "do people …" asks.
  if (forbids.test(plain)) return 'order';
  if (asks.test(plain)) return 'question';
  if (orders.test(plain) || isSlipOfAnOrder(plain.split(' ', 1)[0] ?? '')) return 'order';
  return 'unclear';
}
