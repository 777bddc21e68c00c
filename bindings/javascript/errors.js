// What is thrown of a file that is not valid. Names and paths are text from a stranger: a message has no character that
// a terminal obeys, or that changes the order of others.

/** Returns a text without such characters. */
export function printable(text) {
    return String(text).replace(/[\p{C}\p{Zl}\p{Zp}\p{Zs}]/gu, (letter) => (
        letter === " " ? letter : `\\u{${letter.codePointAt(0).toString(16)}}`));
}

function quoted(name) {
    return `"${printable(name.replace(/["\\]/g, "\\$&"))}"`;
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

const NO_FAULT = { rule: null, ruleName: null, code: null, meaning: null, offset: null, tensor: null, tensorPlace: null,
    other: null, otherPlace: null, expected: null, found: null };

class Refusal extends Error {
    constructor(verdict, path, fault, said, options) {
        super(`${path === null ? "" : `${printable(path)}: `}${verdict}: ${said ?? sentence(fault)}`, options);
        this.path = path;
        Object.assign(this, NO_FAULT, fault);
    }
}

export class InvalidError extends Refusal {
    constructor(path, fault) {
        super("invalid", path, fault);
    }

    get name() {
        return "InvalidError";
    }
}

export class NotJudgedError extends Refusal {
    /** fault: of the core; or cause: what went wrong before it was asked. */
    constructor(path, fault, cause) {
        super("not judged", path, fault, fault === null ? printable(cause?.message ?? cause) : undefined, { cause });
    }

    get name() {
        return "NotJudgedError";
    }
}
