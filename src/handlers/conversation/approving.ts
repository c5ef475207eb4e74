import { withoutManners } from '../language/line.ts';

/** Longer lines say more than a verdict. */
const longest = 120;

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Answers to a question from somebody else. */
const verdicts = wordSet(
  `y yes yep yeah yup yea ya ja jo jep jawohl oui si da ok okay okey okey-dokey k kk sure fine agreed agree approve approved approves approving
  confirm confirmed confirming accept accepted lgtm sgtm ack acked acknowledged affirmative granted grant authorize authorise authorized authorised green shipit roger second seconded genehmigt genehmigen
  einverstanden freigeben freigegeben passt
  n no nope nah nay nein non nee deny denied denying decline declined reject rejected rejecting refuse refused veto vetoed disapprove
  disapproved negative abgelehnt ablehnen ablehne refusé refuse refuser refusée approuvé approuvée approuver approuve accepté rechazado rechazar rechazo denegado acuerdo aprobado
  aprobar apruebo +1 -1 +2`,
);
/** Verdicts of several words. */
const verdictsInWords =
  /^(?:go (?:ahead|for it)|(?:looks?|sounds?|all|seems) (?:good|fine|ok|okay|right)|(?:fine|ok|okay|good) (?:by|with|for) me|good to go|green light|ship it|do it|let it (?:run|go)|let (?:him|her|them) (?:do it|go ahead)|sign(?:ed)? (?:it )?off|sign-off|thumbs (?:up|down)|proceed|no way|not ok(?:ay)?|not now|not yet|don t|dont|won t (?:approve|confirm)|release it|i m (?:fine|ok|good) with (?:it|this|that)|works for me|you (?:may|can)|mach (?:mal|das)|permission granted|allow it|lass laufen)(?= |$)/;
const beside = wordSet(
  `it its this that these those them one all both everything a an the my your his her their s request requests change changes card cards
  plan plans emergency mode approval please plz pls thx hey hi hello now then today thanks thank you i i d ll would like want wanna to can could may should
  let us we me him he she for from by of with on in and but so very much do not don t go ahead run is are looks look good great
  side here there just also really definitely absolutely course not yet right hereby think m am as approver how must will gonna nicht pas de phone mail call`,
);
/** Verbs of approvers only: everything else in the line names what they approve. */
const approves =
  /^(?:i |we |please |pls |id like to |i d like to |i would like to |i want to |i ll |i will |let me |can i |could i |may i |how (?:do|can|could) (?:i|we) |where (?:do|can) (?:i|we) |want to |to )?(?:approve|disapprove|veto|sign off|signoff|sign-off)(?: |$)/;
const ofHistory =
  / by (?!me )| (?:since|until|yesterday|week|month|last|history|audit) | (?:who|when) (?:has |have )?approved /;

const asksForMine =
  / (?:(?:waits?|waiting|await|awaits|awaiting|pending|outstanding|queued|hanging|stuck|depends?|depending) (?:only |just |still |now )?(?:for|on|with|by)|(?:blocked|held up|delayed|stopped) (?:on|by|because of)) (?:me|us|my|our) /;
const needsMine =
  / (?:needs?|needed|wants?|require[sd]?|requiring|awaiting|awaits|pending|lacks?|missing|seeks?|asks? for|asking for|asked for) (?:(?:me|us) to (?:approve|confirm|decide|sign|agree|ok|okay|say|review)|(?:my|our) (?:\S+ )?(?:approvals?|ok|okay|yes|consent|sign-off|signoff|sign off|decision|confirmation|click|go|go-ahead|blessing|attention|action|review|permission|agreement|vote|input|thumbs|green|answer|reply|response|button)) /;
const needsMe =
  / (?:who|anybody|anyone|somebody|someone|anything|what|whoever)(?: else)?(?: still)? (?:needs?|wants?) me /;
const isMineNeeded =
  / my (?:approval|ok|okay|yes|consent|sign-?off|decision|confirmation|click|permission|review) (?:is |are )?(?:needed|required|wanted|missing|pending|asked for|necessary|due) /;
const isForMe =
  /^(?:(?:anything|something|any|requests?|what|whats|is|s|there|are|work|do|does|did|you|who|anybody|anyone|somebody|someone|all|things|wants?|needs?) )+(?:for me|from me|of me|on my (?:plate|desk|list|side))(?: (?:now|here|today|still|to do|to decide|to confirm|to approve|to sign))?$/;
const someoneNeedsMe = /^(?:does|do) \S+ (?:need|want) (?:me|us)$/;
const isMyQueue =
  /^(?:(?:show|list|what|whats|what s|is|s|see|open|in|on) )*my (?:(?:open|pending) )?(?:queue|inbox|to-?dos?|tasks?|desk|plate|approvals?|sign-?offs?|decisions?)$/;
const asksOfOthers =
  /^(?:did|has|have|hat) \S+ (?:already |just |really )?(?:approved?|confirm(?:ed)?|decided?|agree[d]?|answer(?:ed)?|respond(?:ed)?|den(?:y|ied)|signed off|ask(?:ed)?(?: (?:me|us))?(?: for (?:something|anything|it|this))?)(?: (?:it|that|this|yet|already|me|us|my request|the request|something|anything))*$/;
const asksWhyCalled =
  /^(?:why|how come|what for) (?:(?:was|am|were|are|did|do) (?:i|we) (?:get |being |been )?(?:pinged|mentioned|tagged|notified|paged)|(?:did|do|does|has|have) \S+ (?:ping|mention|tag|notify|page|pinged|mentioned|tagged|notified|paged) (?:me|us))(?: here| now| again| about this| for this)*$/;
const needsApproval =
  /^(?:who|anyone|anybody|somebody|someone|what|anything|something|which (?:requests?|changes?|cards?|plans?)) (?:else )?(?:still )?(?:needs?|requires?|wants?|waits? (?:for|on)) (?:an? )?(?:approval|sign-?off|decision)$/;
const inGerman =
  / wart(?:et|en) (?:\S+ ){0,2}auf (?:mich|mein\S*) | zu (?:genehmigen|bestätigen|entscheiden|freizugeben) /;
const isToApprove =
  / (?:to|i|me|we|should|must) (?:still |also |now )?(?:be )?(?:approve|approved|confirm|confirmed|decide|decided|sign off|signed off|authorize|authorise|deny|denied)(?: |$)/;
const asksWhat = wordSet(
  'anything something nothing what whats which any is are there do does have has things list show everything all who whose stuff requests request',
);
const delays =
  / (?:am|are) (?:i|we) (?:currently |still |now )?(?:holding|blocking|delaying|stopping|keeping|slowing|in the way|needed|the blocker|the bottleneck|a blocker|a bottleneck|required|being waited)/;
const isQueue =
  /^(?:(?:show|list|see|view|awaiting|for|on|a|an|get|give|me|my|the|all|any|are|is|there|open|pending|outstanding|waiting|unanswered|undecided|current|what|about|where) )*(?:approvals?|freigaben?|genehmigung(?:en)?|aprobacion(?:es)?|inbox|to-?dos?|decisions?|approval (?:queue|inbox|list|requests?)|requests? (?:for|to) (?:approval|approve)|sign-?offs?)(?: (?:pending|waiting|open|outstanding|needed|required|queue|inbox|list|left|here|now|for me|please))*$/;
const isPending =
  /^(?:(?:what|whats|what s|is|are|anything|something|everything|whos|who s|who|all|still|there|currently|requests?|things) )+(?:pending|undecided|waiting|outstanding|awaiting (?:approval|a decision|decision)|(?:pending|waiting|open|outstanding|waits|wait) for (?:an? )?(?:approval|decision|sign-?off|ok|yes|confirmation|answer|somebody|someone))(?: (?:now|here|still|today|right now|at the moment|currently|for approval))*$/;
const whoApproves =
  /^who (?:can|could|may|must|has to|have to|needs to|should|will|would|is to|else can|else could|else must) (?:approve|confirm|decide|sign off)(?: (?:it|this|that|my request|this request|the request|here))?$/;

/**
 * Whether a line is a verdict of an approver, or asks what waits for approval. It never decides anything: words
 * never approve.
 */
export function isAboutApproving(line: string): boolean {
  if (line.length > longest) return false;
  const drawn = inWords(line);
  const words = wordsOf(withoutManners(drawn));
  const said = words.join(' ');
  const within = ` ${said} `;
  if (ofHistory.test(within)) return false;
  if (approves.test(said) || (!isSmallTalk(drawn) && (isVerdict(wordsOf(drawn)) || isVerdict(words))))
    return true;
  // A line with a website or an address is about that.
  if (/[a-z0-9]\.[a-z0-9]/i.test(line)) return false;
  const asks = words.some((word) => asksWhat.has(word));
  return (
    asksForMine.test(within) ||
    needsMine.test(within) ||
    needsMe.test(within) ||
    isMineNeeded.test(within) ||
    (asks && isToApprove.test(within)) ||
    isForMe.test(said) ||
    someoneNeedsMe.test(said) ||
    isMyQueue.test(said) ||
    asksOfOthers.test(said) ||
    asksWhyCalled.test(said) ||
    needsApproval.test(said) ||
    inGerman.test(within) ||
    delays.test(within) ||
    isQueue.test(said) ||
    isPending.test(said) ||
    whoApproves.test(said)
  );
}

/** “is everything ok”, “all good?” and “ok thanks” are no verdict. */
const isSmallTalk = (line: string): boolean =>
  !/approv|confirm|den(?:y|ied)|reject|decline|sign|accept|agree/.test(line) &&
  (/^(?:is|are|was|were|does) |^(?!no).*(?:thank|thx)/.test(line) || line.endsWith('?'));

function isVerdict(words: readonly string[]): boolean {
  const said = words.join(' ');
  const several = verdictsInWords.exec(said)?.[0];
  const rest = several === undefined ? words : wordsOf(said.slice(several.length));
  const isSaid = several !== undefined || words.some((word) => verdicts.has(word));
  return isSaid && rest.every((word) => verdicts.has(word) || beside.has(word) || isName(word));
}

const isName = (word: string): boolean =>
  word.startsWith('@') || /^\S+[’']s$/.test(word) || (/^#?[0-9a-f]+$/.test(word) && /[0-9]/.test(word));

/** Lower case, with words for emoji. */
const inWords = (line: string): string =>
  line
    .toLowerCase()
    .replace(/[\u{1f3fb}-\u{1f3ff}\ufe0f]/gu, '')
    .replace(/:skin-tone-\d:/g, '')
    .replace(yesDrawn, ' yes ')
    .replace(noDrawn, ' no ')
    .replace(/<@(\w+)(?:\|[^>]*)?>/g, ' @$1 ')
    .trim();

const wordsOf = (text: string): readonly string[] =>
  text
    .replace(/[.,;:!?"“”()…]+/g, ' ')
    .replace(/(?<=\b(?:i|what|who|don|let|there|that|it))['’](?=\w)/g, ' ')
    .split(' ')
    .filter((word) => word !== '' && word !== '-');

const yesDrawn =
  /:(?:\+1|thumbsup|thumbs_up|white_check_mark|heavy_check_mark|ballot_box_with_check|ok|ok_hand|ok_woman|100|rocket|shipit|check|green_check|approved|approve|yes|lgtm):|👍|👌|🚀|✅|✔|☑|🆗|💯|🙆/gu;
const noDrawn =
  /:(?:-1|thumbsdown|thumbs_down|x|no_entry|no_entry_sign|no_good|negative_squared_cross_mark|heavy_multiplication_x|no|denied|deny|rejected):|👎|❌|🚫|⛔|✖|❎|🙅/gu;
