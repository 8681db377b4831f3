"""Families of words of which a program that looks for one often looks for others, too.

A law that asks for `"JPY"` may have to ask for `"KRW"` as well, and no input of a job shows it. The
words that are most alike stand side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORDS = """
USD CAD AUD NZD EUR GBP CHF SEK NOK DKK PLN CZK HUF ISK JPY KRW CLP VND PYG CNY INR BRL MXN KWD
BHD TND;
mg g kg t lb oz st;
mm cm m km in ft yd mi;
ml cl l gal pt fl cup tsp tbsp;
ns us ms s sec min h hr day week month year;
B kB KB MB GB TB KiB MiB GiB bit byte;
C F K celsius fahrenheit kelvin;
XXS XS S M L XL XXL;
TRACE DEBUG INFO NOTICE WARN WARNING ERROR CRITICAL ALERT EMERGENCY FATAL OFF;
GET HEAD OPTIONS POST PUT PATCH DELETE CONNECT TRACE;
http https ws wss ftp ftps sftp file data javascript mailto tel ssh git;
true false yes no on off enabled disabled none null nil;
Monday Tuesday Wednesday Thursday Friday Saturday Sunday;
Mon Tue Wed Thu Fri Sat Sun;
January February March April May June July August September October November December;
Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec;
spring summer autumn fall winter;
north east south west N E S W;
left right top bottom center middle;
red orange yellow green blue purple pink brown black gray grey white;
owner admin administrator root superuser moderator editor author user member viewer guest
anonymous;
new open active pending draft review approved rejected closed done completed cancelled canceled
expired archived deleted;
todo started running paused stopped failed success error;
low medium normal high urgent critical;
text search tel url email password date month week time datetime-local number range color
checkbox radio file hidden submit image reset button;
h1 h2 h3 h4 h5 h6;
ul ol menu dl;
b strong i em u s del ins mark small big sub sup;
script style iframe object embed applet noscript template;
area base br col embed hr img input link meta param source track wbr;
_self _blank _parent _top;
int integer smallint bigint tinyint mediumint serial numeric decimal real float double;
char varchar nchar nvarchar text clob blob binary varbinary;
date time datetime timestamp interval year;
count sum avg min max total;
lower upper trim ltrim rtrim length substr substring replace concat;
sin cos tan asin acos atan sinh cosh tanh;
log ln log2 log10 exp sqrt cbrt pow;
floor ceil round trunc abs sign;
pickle marshal shelve dill cPickle;
eval exec compile execfile __import__;
md5 sha1 sha224 sha256 sha384 sha512;
os sys subprocess shutil popen system;
list dict set tuple frozenset;
int float complex bool str bytes;
telnetlib ftplib smtplib imaplib poplib socket;
__init__ __new__ __del__ __repr__ __str__ __eq__ __ne__ __lt__ __hash__ __len__ __iter__
__next__ __call__;
mp3 ogg wav flac aac opus m4a;
h264 h265 hevc av1 vp8 vp9;
png jpg jpeg gif webp avif svg bmp tiff ico;
mp4 webm mkv avi mov;
zip tar gz bz2 xz 7z rar;
utf-8 utf8 utf-16 ascii latin-1 latin1 iso-8859-1 cp1252;
com org net edu gov info biz io dev test example invalid localhost;
en de fr es it pt nl sv ja zh ko ru ar he fa ur;
US CA MX GB IE DE AT CH FR ES IT NL BE SE NO DK FI PL JP CN KR IN AU NZ BR;
UTC GMT Z CET EST PST;
round square circle rectangle triangle;
PDF DOC DOCX XLS XLSX CSV;
limit offset page per_page page_size size count skip cursor after before start next;
sort order sort_by order_by direction;
q query search filter term;
id uuid guid key code sku number no ref;
name title label caption heading subject;
first_name last_name full_name surname nickname username login;
description summary text body content note comment message details;
email mail phone tel mobile fax website url link;
street city zip postcode postal_code state region country address;
price cost amount total subtotal tax discount fee currency quantity qty;
width height depth length size x y z top left right bottom;
lat lon lng latitude longitude altitude;
start end from to begin finish duration since until;
created updated modified deleted published expires created_at updated_at deleted_at;
host port user password database schema protocol;
timeout retries retry delay interval backoff max_retries;
min max default step;
role roles group groups permission permissions scope;
token secret key api_key password signature nonce;
username password email;
status state phase stage;
parent children child owner;
version revision build release;
enabled disabled active visible hidden required optional readonly;
debug verbose quiet silent trace log level;
alt title aria-label aria-labelledby role;
href src srcset action formaction;
rel target download hreflang type;
id class name for;
loading decoding async defer crossorigin integrity;
window document navigator location history localStorage sessionStorage screen globalThis global
process;
alert confirm prompt;
var let const;
print input open exec eval;
assert raise pass
"""

_PAIRS = """
absent present, accept reject, accepted rejected, acquire release, actual expected, add remove,
add delete, alive dead, alloc free, allocate deallocate, allow deny, answer question, append pop,
arrival departure, arrive depart, assigned unassigned, attach detach, await cancel, away home,
before after, begin commit, begin end, begin rollback, bid ask, bind unbind, birth death,
board alight, booked free, borrow return, borrowed returned, bottom top, bought sold, buy sell,
cash card, charge refund, check uncheck, checkin checkout, child adult, client server,
correct wrong, connect disconnect, connect close, create destroy, create delete, create drop,
credit debit, day night, decode encode, decrypt encrypt, delivered ordered, demand supply,
departed arrived, deposit withdraw, deposit withdrawal, disable enable, done todo, down up,
draft final, empty full, enqueue dequeue, enter exit, enter leave, entry exit, even odd,
expand collapse, expense income, export import, fail pass, failed passed, female male, fill drain,
first last, found lost, free used, freeze unfreeze, from to, front back, gain loss, get set,
given taken, goal foul, grab release, grow shrink, head tail, heads tails, hide show, high low,
hire fire, hit miss, hold release, hot cold, in out, inbound outbound, inc dec, incoming outgoing,
increment decrement, inner outer, input output, insert delete, install uninstall,
internal external, invoice payment, join leave, key value, left right, lend return, lent returned,
light dark, like dislike, load save, load unload, local remote, locked unlocked, lock unlock,
login logout, loan return, loss win, lost won, lower raise, lower upper, malloc free, mark unmark,
max min, mount unmount, negative positive, new delete, north south, observe unobserve,
occupied free, old new, on off, open close, open closed, order delivery, order shipment, owed paid,
paid unpaid, parent child, pause resume, pick drop, pickup delivery, pickup dropoff, planned done,
play pause, plus minus, pop push, private public, profit loss, put get, read unread, read write,
ready busy, received sent, register deregister, register unregister, rent return, request response,
request cancel, reserve release, reserved free, retain release, rise fall, save restore,
seen unseen, select deselect, send receive, sender recipient, set clear, set reset, set unset,
setup teardown, sign verify, signed unsigned, single double, sold unsold, source target, start end,
start finish, start stop, subscribe unsubscribe, success failure, suspend resume, take return,
taken free, true false, try catch, upload download, upvote downvote, valid invalid, visible hidden,
wait notify, wait signal, warm cold, wet dry, win loss, winner loser, yes no, yea nay
"""
"""Words that begin names of what is done and undone."""
_BEGUN = re.compile(r"_*([A-Z]+(?![a-z])|[A-Z]?[a-z]+)")


def _placed(families: list[list[str]]) -> dict[str, list[tuple[int, list[str]]]]:
    """Return the families of each word, in lower case, with where it stands in them."""
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for family in families:
        plain = [each.lower() for each in family]
        for word in dict.fromkeys(plain):
            found.setdefault(word, []).append((plain.index(word), family))
    return found


def _paired() -> dict[str, list[str]]:
    """Return the words that go with each of the pairs."""
    found: dict[str, list[str]] = {}
    for one, two in (pair.split() for pair in _PAIRS.split(",")):
        found.setdefault(one, []).append(two)
        found.setdefault(two, []).append(one)
    return found


_COUNTERPARTS = _paired()
_FAMILIES = _placed([family.split() for family in _WORDS.split(";")])


def relatives(word: str) -> Iterator[str]:
    """Yield the other words of a word's families, the nearest first, in capitals if it is so.

    >>> [*relatives("krw")][:3]
    ['jpy', 'clp', 'isk']
    """
    shape = next((each for each in (str.lower, str.upper) if each(word) == word), str)
    for at, family in _FAMILIES.get(word.lower(), ()):
        places = sorted((abs(index - at), index) for index in range(len(family)))
        yield from (shape(family[index]) for _, index in places[1:])


def counterparts(name: str) -> Iterator[str]:
    """Yield names that undo a name, or are undone by it, in capitals if it is so.

    >>> [*counterparts("addListener")], [*counterparts("LOCK_A")]
    (['removeListener', 'deleteListener'], ['UNLOCK_A'])
    """
    begun = _BEGUN.match(name)
    if begun is None:
        return
    word = begun[1]
    shape = next((e for e in (str.lower, str.upper, str.title) if e(word) == word), str.lower)
    for other in dict.fromkeys(_COUNTERPARTS.get(word.lower(), ())):
        yield name[: begun.start(1)] + shape(other) + name[begun.end(1) :]
