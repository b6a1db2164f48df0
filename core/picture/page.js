/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report: its tabs, its filters, which are those of all tabs, its search, and its links, such as
 * report.html#functions/parse.
 */

/* A labelled list of CHOICES, from words to titles, in BAR; CHOSEN is called with the word. */
function choice(bar, title, choices, chosen) {
	const label = make(bar, "label", {}, title + " ");
	const select = make(label, "select");
	for (const word in choices)
		make(select, "option", {value: word}, choices[word]);
	select.addEventListener("change", () => chosen(select.value));
	return select;
}

/* What was recorded, and what stands out, in words. */
class SummaryTab {
	constructor(report) {
		this.report = report;
		this.name = "summary";
		this.title = "Summary";
	}

	build(panel) {
		this.findings = make(panel, "ul", {class: "findings"});
		make(panel, "h2", {}, "Recording");
		const facts = make(panel, "ul", {class: "facts"});
		for (const line of this.report.model.data.summary.split("\n").filter(text => text))
			make(facts, "li", {}, line);
	}

	/* Adds a sentence whose first word is the function ITEM, as a link to it. */
	addFunction(item, rest) {
		const line = make(this.findings, "li");
		const name = this.report.model.data.function_name[item];
		make(line, "a", {href: "#callers/" + encodeURIComponent(name)}, name);
		line.append(rest);
	}

	addThreads() {
		const {model} = this.report, sums = new Map();
		const column = model.column(model.metric);
		model.eachSample(i => {
			const thread = model.data.sample_thread[i];
			sums.set(thread, (sums.get(thread) || 0) + column[i]);
		});
		const [first] = [...sums].sort((a, b) => b[1] - a[1]);
		if (sums.size > 1 && first)
			make(this.findings, "li", {}, "Of " + sums.size + " threads, " + model.threadName(first[0]) +
				" has the most: " + model.percent(first[1]) + ".");
	}

	addWaits() {
		const {model} = this.report, wall = model.sum("wall");
		const waits = {lock: "waited for locks", runqueue: "waited for a CPU", other: "waited for other things"};
		for (const name in waits) {
			const share = wall ? 100 * model.sum(name) / wall : 0;
			if (share >= 5)
				make(this.findings, "li", {}, "Threads " + waits[name] + " for " + share.toFixed(1) +
					" % of their time: choose the metric " + name + " to see where.");
		}
	}

	draw() {
		const {model} = this.report, title = model.data.metric_title[model.metric];
		this.findings.textContent = "";
		this.report.count(-1);
		const rows = this.report.functionRows();
		if (!model.figures.total || !rows.length) {
			make(this.findings, "li", {}, "The filters leave nothing of this metric.");
			return;
		}
		const total = make(this.findings, "li");
		total.append(title + ": " + model.withUnit(model.figures.total) + " in all.");
		rows.sort(byValue(row => row.exclusive));
		for (const row of rows.slice(0, 3).filter(other => other.exclusive > 0.01 * model.figures.total))
			this.addFunction(row.item, " itself has " + model.percent(row.exclusive) + ".");
		rows.sort(byValue(row => row.inclusive));
		const outer = rows.find(row => row.inclusive < 0.95 * model.figures.total &&
			row.inclusive > 2 * row.exclusive);
		if (outer)
			this.addFunction(outer.item, " and all that it calls have " + model.percent(outer.inclusive) + ".");
		this.addThreads();
		this.addWaits();
	}
}

class Report {
	constructor(model) {
		this.model = model;
		this.chosen = -1; /* the function that tabs point at */
		this.searched = "";
		this.named = new Map();
		model.data.function_name.forEach((name, item) => {
			if (!this.named.has(name))
				this.named.set(name, item);
		});
		this.tabs = [SummaryTab, FlameTab, FunctionsTab, CallersTab, TreeTab, TimelineTab, LinesTab]
			.map(Kind => new Kind(this)).filter(tab => !tab.has || tab.has(model));
		this.build(document.getElementById("page"));
		this.obey();
		window.addEventListener("hashchange", () => this.obey());
		document.addEventListener("keydown", event => this.onKey(event));
	}

	build(page) {
		const head = make(page, "header");
		make(head, "h1", {}, this.model.data.title);
		this.buildFilters(make(head, "form", {class: "bar", role: "search", id: "filters"}));
		this.status = make(head, "p", {role: "status", id: "status"});
		const list = make(page, "div", {role: "tablist", "aria-label": "Report", class: "tabs"});
		const main = make(page, "main");
		for (const tab of this.tabs) {
			tab.button = make(list, "button", {
				type: "button", role: "tab", id: "tab-" + tab.name, "aria-controls": "panel-" + tab.name,
			}, tab.title);
			tab.button.addEventListener("click", () => this.go(tab.name, this.chosen));
			tab.panel = make(main, "section", {
				role: "tabpanel", id: "panel-" + tab.name, "aria-labelledby": "tab-" + tab.name,
			});
		}
		list.addEventListener("keydown", event => this.onTabKey(event));
	}

	buildFilters(bar) {
		const {data} = this.model;
		bar.addEventListener("submit", event => event.preventDefault());
		const metrics = Object.fromEntries(data.metric_title.map((title, i) => [data.metric_name[i], title]));
		this.metric = choice(bar, "Metric", metrics, () => {
			this.model.metric = this.metric.selectedIndex;
			this.filter({});
		});
		this.metric.id = "metric";
		const threads = {"-1": "all"};
		data.thread_name.forEach((_, i) => { threads[i] = this.model.threadName(i); });
		this.thread = choice(bar, "Thread", threads, word => this.filter({thread: Number(word)}));
		this.thread.id = "thread";
		this.thread.replaceChildren(...[...this.thread.options].sort((a, b) => a.value - b.value));
		const label = make(bar, "label", {}, "Stacks with ");
		this.within = make(label, "input", {type: "text", id: "within", placeholder: "a function"});
		this.within.addEventListener("change", () => this.setWithin(this.within.value));
		const find = make(bar, "label", {}, "Search ");
		this.search = make(find, "input", {type: "search", id: "search", placeholder: "/ or Ctrl-F"});
		this.search.addEventListener("input", () => {
			this.searched = this.search.value;
			this.tab.draw();
		});
		this.all = make(bar, "button", {type: "button", id: "clear"}, "Clear filters");
		this.all.addEventListener("click", () => this.filter({thread: -1, from: null, to: null, within: -1}));
	}

	setWithin(name) {
		const item = this.named.get(name);
		this.within.setCustomValidity(name && item === undefined ? "There is no such function." : "");
		this.within.reportValidity();
		if (!name || item !== undefined)
			this.filter({within: name ? item : -1});
	}

	/* The functions that have a value, as rows. */
	functionRows() {
		const {data, figures} = this.model, rows = [];
		for (let item = 0; item < data.function_name.length; item++) {
			if (figures.inclusive[item] || figures.exclusive[item])
				rows.push({
					item, order: item, name: data.function_name[item],
					object: data.module_name[data.function_module[item]],
					exclusive: figures.exclusive[item], inclusive: figures.inclusive[item],
				});
		}
		return rows;
	}

	/* The function with the most of its own, or -1. */
	hottest() {
		const [first] = this.functionRows().sort(byValue(row => row.exclusive));
		return first ? first.item : -1;
	}

	/* Does the search find NAME?  It does, where nothing is searched. */
	matches(name) {
		return name.toLowerCase().includes(this.searched.toLowerCase());
	}

	/* Reports what the filters leave, and, if there is a search, how much of COUNT it has found. */
	count(count) {
		const {model} = this, {from, to, thread, within} = model.filter, parts = [];
		if (thread >= 0)
			parts.push("thread " + model.threadName(thread));
		if (from !== null || to !== null)
			parts.push("time " + (from === null ? "start" : (from / 1e6).toFixed(3)) + " to " +
				(to === null ? "end" : (to / 1e6).toFixed(3) + " s"));
		if (within >= 0)
			parts.push("stacks with " + model.data.function_name[within]);
		this.all.hidden = !parts.length;
		const left = parts.length ? "Filter: " + parts.join(", ") + " (" + model.passed + " of " +
			model.times.length + " samples).  " : "";
		this.status.textContent = left +
			(this.searched && count >= 0 ? count + " found." : "");
	}

	/* Changes the filter by CHANGES, in all tabs. */
	filter(changes) {
		Object.assign(this.model.filter, changes);
		this.model.compute();
		this.showFilter();
		this.link();
		this.tab.draw();
	}

	showFilter() {
		const {thread, within} = this.model.filter;
		this.metric.selectedIndex = this.model.metric;
		this.thread.value = String(thread);
		this.within.value = within < 0 ? "" : this.model.data.function_name[within];
	}

	/* The function ITEM is what other tabs point at. */
	choose(item) {
		this.chosen = item;
		this.link();
	}

	/* Shows the tab NAME, for the function ITEM. */
	go(name, item) {
		this.chosen = item;
		/* At once: the next key may be of the tab that is shown then. */
		history.pushState(null, "", this.address(name));
		this.show(name);
	}

	/* The link to what the tab NAME shows now. */
	address(name) {
		const {metric, filter, data} = this.model, parts = new URLSearchParams();
		if (metric)
			parts.set("metric", data.metric_name[metric]);
		if (filter.thread >= 0)
			parts.set("thread", filter.thread);
		for (const end of ["from", "to"]) {
			if (filter[end] !== null)
				parts.set(end, filter[end]);
		}
		if (filter.within >= 0)
			parts.set("within", data.function_name[filter.within]);
		const rest = parts.toString();
		return "#" + name + (this.chosen < 0 ? "" : "/" + encodeURIComponent(data.function_name[this.chosen])) +
			(rest ? "?" + rest : "");
	}

	/* Keeps the link in the address bar that of what is seen, without a step to go back to. */
	link() {
		history.replaceState(null, "", this.address(this.tab.name));
	}

	/* Shows what the link in the address bar is to. */
	obey() {
		const [, name, item, rest] = location.hash.match(/^#([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/) || [];
		const parts = new URLSearchParams(rest || ""), {model} = this;
		const number = key => parts.has(key) && isFinite(parts.get(key)) ? Number(parts.get(key)) : null;
		const known = value => this.named.has(value) ? this.named.get(value) : -1;
		const thread = number("thread");
		model.metric = Math.max(0, model.metricNamed(parts.get("metric")));
		model.filter = {
			thread: thread !== null && model.data.thread_name[thread] !== undefined ? thread : -1,
			from: number("from"), to: number("to"), within: known(parts.get("within")),
		};
		let wanted = "";
		try {
			wanted = decodeURIComponent(item || "");
		} catch {
			/* Somebody has typed it. */
		}
		this.chosen = known(wanted);
		model.compute();
		this.showFilter();
		this.show(name);
	}

	show(name) {
		this.tab = this.tabs.find(tab => tab.name === name) || this.tabs[0];
		for (const tab of this.tabs) {
			const shown = tab === this.tab;
			tab.panel.hidden = !shown;
			tab.button.setAttribute("aria-selected", shown);
			tab.button.tabIndex = shown ? 0 : -1;
		}
		if (!this.tab.panel.hasChildNodes())
			this.tab.build(this.tab.panel);
		document.title = this.model.data.title + ": " + this.tab.title;
		this.tab.draw();
	}

	onTabKey(event) {
		const at = this.tabs.indexOf(this.tab), last = this.tabs.length - 1;
		const to = {
			ArrowLeft: at ? at - 1 : last, ArrowRight: at < last ? at + 1 : 0, Home: 0, End: last,
		}[event.key];
		if (to === undefined || event.altKey)
			return;
		event.preventDefault();
		this.go(this.tabs[to].name, this.chosen);
		this.tabs[to].button.focus();
	}

	onKey(event) {
		const find = (event.ctrlKey || event.metaKey) && event.key === "f";
		const typing = event.target.matches("input, select");
		if (find || (event.key === "/" && !typing && !event.ctrlKey && !event.altKey)) {
			this.search.select();
			event.preventDefault();
		} else if (event.key === "Escape" && event.target === this.search) {
			this.search.value = this.searched = "";
			this.tab.draw();
		}
	}
}

unpack(document.getElementById("data").textContent).then(data => {
	window.report = new Report(new Model(data));
}).catch(error => {
	make(document.getElementById("page"), "p", {role: "alert"}, "This browser cannot show the report: " + error.message);
});
