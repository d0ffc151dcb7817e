import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Abstract Class: Command","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/classes/svc-runtime.Command.md","filePath":"reference/api/classes/svc-runtime.Command.md"}');
const _sfc_main = { name: "reference/api/classes/svc-runtime.Command.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="abstract-class-command" tabindex="-1">Abstract Class: Command <a class="header-anchor" href="#abstract-class-command" aria-label="Permalink to &quot;Abstract Class: Command&quot;">​</a></h1><p>Asks for something; declared once, handled by one receptor.</p><h2 id="constructors" tabindex="-1">Constructors <a class="header-anchor" href="#constructors" aria-label="Permalink to &quot;Constructors&quot;">​</a></h2><h3 id="constructor" tabindex="-1">Constructor <a class="header-anchor" href="#constructor" aria-label="Permalink to &quot;Constructor&quot;">​</a></h3><blockquote><p><strong>new Command</strong>(): <code>Command</code></p></blockquote><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>Command</code></p><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="brand" tabindex="-1">[brand]? <a class="header-anchor" href="#brand" aria-label="Permalink to &quot;\\[brand\\]?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>[brand]?</strong>: <code>&quot;command&quot;</code></p></blockquote><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="of" tabindex="-1">of() <a class="header-anchor" href="#of" aria-label="Permalink to &quot;of()&quot;">​</a></h3><blockquote><p><code>static</code> <strong>of</strong>&lt;<code>T</code>&gt;(<code>this</code>, <code>init</code>): <code>T</code></p></blockquote><p>Type-checked construction of an instance: <code>CreateOrder.of({ … })</code>.</p><h4 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="oft"></a> <code>T</code> <em>extends</em> <code>Command</code></td></tr></tbody></table><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>this</code></td><td>new () =&gt; <code>T</code></td></tr><tr><td><code>init</code></td><td><code>Properties</code>&lt;<code>T</code>&gt;</td></tr></tbody></table><h4 id="returns-1" tabindex="-1">Returns <a class="header-anchor" href="#returns-1" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>T</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/classes/svc-runtime.Command.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_Command = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_Command as default
};
