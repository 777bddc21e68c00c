// What is thrown of a file that is not valid. Names and paths are untrusted text: a message has no control characters,
// and none that change the order of others.

const SHOWN = 200, REASON_SHOWN = 1000; // characters: a name may have a hundred million
const CAUSES = 5;

/** Returns a text without such characters, cut if it is long. */
export function printable(text, most = SHOWN) {
    const shown = text.length > most ? `${text.slice(0, most)}...` : text;
    return shown.replace(/[\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu, (letter) => (
        letter === " " ? letter : `\\u{${letter.codePointAt(0).toString(16)}}`));
}

function quoted(name) {
    return `"${printable(name.slice(0, SHOWN + 1).replace(/["\\]/g, "\\$&"))}"`;
}

function sentence(fault) {
    const { rule, offset, meaning, tensor, other, expected, found } = fault;
    let text = `rule ${rule}${offset === null ? "" : ` at byte ${offset}`}: ${meaning}`;
    if (tensor !== null) {
        text += `: tensor ${quoted(tensor)}`;
    }
    if (other !== null) {
        text += `${tensor === null ? ":" : " and"} ${quoted(other)}`;
    }
    const numbers = [expected === null ? [] : `expected ${expected}`, found === null ? [] : `found ${found}`].flat();
    return numbers.length === 0 ? text : `${text} (${numbers.join(", ")})`;
}

/** Returns the message of an error, and of its causes: that of Node's fetch alone is "fetch failed". */
function reasonOf(error, causes = CAUSES) {
    let reason = "an unknown error";
    try {
        reason = String(error?.message || error?.code || error);
    } catch {
        // what was thrown has no text
    }
    return causes > 0 && error?.cause instanceof Error ? `${reason}: ${reasonOf(error.cause, causes - 1)}` : reason;
}

const NO_FAULT = { rule: null, ruleName: null, code: null, meaning: null, offset: null, tensor: null, tensorIndex: null,
    other: null, otherIndex: null, expected: null, found: null };

class Refusal extends Error {
    constructor(verdict, path, fault, text, options) {
        super(`${path === null ? "" : `${printable(path)}: `}${verdict}: ${text}`, options);
        this.path = path;
        Object.assign(this, NO_FAULT, fault);
    }
}

export class InvalidError extends Refusal {
    constructor(path, fault) {
        super("invalid", path, fault, sentence(fault));
    }

    get name() {
        return "InvalidError";
    }
}

export class NotJudgedError extends Refusal {
    /** fault: of the core; or, if that is null, cause: what went wrong before it was asked. */
    constructor(path, fault, cause) {
        super("not judged", path, fault, fault === null ? printable(reasonOf(cause), REASON_SHOWN) : sentence(fault),
            fault === null ? { cause } : undefined);
    }

    get name() {
        return "NotJudgedError";
    }
}
