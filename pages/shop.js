var ti=Object.defineProperty;var ni=(e,t)=>{for(var n in t)ti(e,n,{get:t[n],enumerable:!0})};var k,Sr,go,Je,ho,Mn,Pr,En,Or,bo,yo,kr,on=Symbol.for("pv"),In={},An=[],oi=/^m(i|n|o|s|text|space)$/,_o=Array.isArray,wo=An.slice,lt=Object.assign;function it(e){e&&e.parentNode&&e.remove()}function Rn(e,t,n){var o,r,s,a={},i=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?wo.call(arguments,2):n),nn(e,a,o,r,null)}function nn(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:on,__v:r||++Sr,__i:-1,__u:0};return!r&&k.vnode&&k.vnode(s),s}function dt(e){return e.children}function St(e,t){this.props=e,this.context=t,this.__g=0}function Qe(e,t){if(t==null)return e.__&&Qe(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:Qe(e)}function ri(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=lt({constructor:on},n)).__v=n.__v+1,k.vnode&&k.vnode(t),$o(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||Qe(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Ir(r,t,s),n.__=n.__e=null,t.__e!=o&&Cr(t))}function Cr(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Cr(e)}function vo(e){(8&e.__g||(e.__g|=8,Je.push(e),Mn++))&&ho==k.debounceRendering||((ho=k.debounceRendering)||queueMicrotask)(Tr)}function Tr(){try{for(var e,t=1;Je.length;)Je.length>t&&Je.sort(Pr),e=Je.shift(),t=Je.length,8&e.__g&&ri(e)}finally{(Mn=Je.length)&&(ho||queueMicrotask)(Tr)}}function Er(e,t,n,o,r,s,a,i,d,u,c){var p,m,f,v,$,w,P=o.__k||An,g=t.length;for(d=si(n,t,P,d,g),p=0;p<g;p++)(f=n.__k[p])!=null&&(m=~f.__i&&P[f.__i]||In,f.__i=p,w=$o(e,f,m,r,s,a,i,d,u,c),v=f.__e,(m.ref!=f.ref||8&m.__u)&&(m.ref&&xo(m.ref,null,f,m),f.ref&&c.push(f.ref,f.__c||v,f)),$=$||v,4&f.__u?(d=Nr(f,d,e,!m.__v),m.__e&&(m.__e=null)):typeof f.type=="function"&&w!==void 0?d=w:v&&(d=v.nextSibling),f.__u&=-21);return n.__e=$,d}function si(e,t,n,o,r){var s,a,i,d,u,c,p,m,f,v=n.length,$=v,w=0,P=0,g=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=g[s]=nn(null,a):_o(a)?a=g[s]=nn(dt,{children:a}):a.constructor===on&&a.__b?a=g[s]=nn(a.type,a.props,a.key,a.ref,a.__v):g[s]=a,d=s+w,a.__=e,a.__b=e.__b+1,i=null,~(u=a.__i=ai(a,n,d,$))&&($--,(i=n[u])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,u==d-1?w--:u==d+1?w++:u!=d&&(u>d?w--:w++,P=1)):(~u||(r>v?w--:r<v&&w++),typeof a.type!="function"&&(a.__u|=4))):g[s]=null;if(P){for(c=[],p=[],s=0;s<r;s++)if((a=g[s])&&16&a.__u){for(w=0,m=c.length;w<m;)c[f=w+m>>1]<a.__i?w=f+1:m=f;c[w]=a.__i,p[s]=w+1}for(w=c.length;s--;)p[s]&&(p[s]==w?w--:g[s].__u|=4)}if($)for(s=0;s<v;s++)!(i=n[s])||2&i.__u||(i.__e==o&&(o=Qe(i)),So(i,i));return o}function Nr(e,t,n,o){var r,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Nr(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=Qe(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function ai(e,t,n,o){var r,s=e.key,a=e.type,i=t[n],d=i&&!(2&i.__u);if(i===null&&s==null||d&&s==i.key&&a==i.type)return n;if(o>(d?1:0)){for(r=n-1;r>=0;r--)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r;for(r=n+1;r<t.length;r++)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r}return-1}function xr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Tn(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||xr(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||xr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=yo[t]||(yo[t]=ii(t)),(e.__a||(e.__a={}))[t]=bo,s=t!=(t=t.replace(Or,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function ii(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[En]==null)t[En]=bo++;else if(t[En]<this.__a[e])return;return n(k.event?k.event(t):t)}}}function $o(e,t,n,o,r,s,a,i,d,u){var c,p,m,f,v,$,w,P,g,T,L,st,W,Te,Ee,xt,Ne,at,He=t.type;if(t.constructor!==on)return null;128&n.__u&&(d=32&n.__u,c=n.__c.__z)&&(t.__u|=d,p=s=[],c.nodeType==8?i=Nn(c,s):s.push(c),i=s[0]||i),(c=k.__b)&&c(t);e:if(typeof He=="function"){m=a.length;try{if(P=t.props,g=(c=He.prototype)&&c.render,T=(c=He.contextType)&&o[c.__c],L=c?T?T.props.value:c.__:o,(f=n.__c)?(t.__c=f,2&f.__g&&(f.__g|=1)):(g?t.__c=f=new He(P,L):(t.__c=f=new St(P,L),f.constructor=He,f.render=di),T&&T.sub(f),f.state||(f.state={}),f.__n=o,f.__g|=8,f.__h=[],f.__k=[]),g&&(f.__s||(f.__s=f.state),He.getDerivedStateFromProps&&(f.__s==f.state&&(f.__s=lt({},f.__s)),lt(f.__s,He.getDerivedStateFromProps(P,f.__s)))),v=f.props,$=f.state,f.__v=t,n.__c){if(P!==v&&g&&!He.getDerivedStateFromProps&&f.componentWillReceiveProps&&f.componentWillReceiveProps(P,L),t.__v==n.__v&&!(8&f.__g)||!(4&f.__g)&&f.shouldComponentUpdate&&f.shouldComponentUpdate(P,f.__s,L)===!1){t.__v!=n.__v&&(f.props=P,f.state=f.__s,f.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(me){me&&(me.__=t)}),An.push.apply(f.__h,f.__k),f.__k=[],f.__h.length&&a.push(f),i=Qe(n);break e}f.componentWillUpdate&&f.componentWillUpdate(P,f.__s,L),g&&f.componentDidUpdate&&f.__h.push(function(){f.componentDidUpdate(v,$,w)})}else g&&!He.getDerivedStateFromProps&&f.componentWillMount&&f.componentWillMount(),g&&f.componentDidMount&&f.__h.push(f.componentDidMount);f.context=L,f.props=P,f.__P=e,f.__g&=-5,st=k.__r,W=g?25:0;do f.__g&=-9,st&&st(t),c=f.render(f.props,f.state=f.__s,f.context);while(8&f.__g&&++W<25);g&&(An.push.apply(f.__h,f.__k),f.__k=[]),f.state=f.__s,f.getChildContext&&(o=lt({},o,f.getChildContext())),g&&n.__c&&f.getSnapshotBeforeUpdate&&(w=f.getSnapshotBeforeUpdate(v,$)),Te=c&&c.type===dt&&c.key==null?c.props.children:c,P.__P&&(c=i,r=(e=P.__P).namespaceURI,d=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(me){me&&So(me,me)}),n.__k=null),i=n.__k?Qe(n,0):null),i=Er(e,_o(Te)?Te:[Te],t,n,o,r,s,a,i,d,u),P.__P&&(t.__e=null,i=c),t.__u&=-161,p&&p.some(it),f.__h.length&&a.push(f),1&f.__g&&(f.__g&=-4)}catch(me){if(a.length=m,t.__v=null,d||s)if(me&&me.then){if(t.__u|=128|d,s){for(~(Ne=s.indexOf(i||void 0))||(Ne=s.length);(at=s[Ne-1])&&at.nodeType==8;)Ne--;for(;Ne<s.length;Ne++)if(at=s[Ne])if(s[Ne]=null,Ee){if(at==xt)break}else{if(at.nodeType!=8)break;at.data.startsWith("$s")&&(xt=Nn(Ee=at))}}if(!Ee){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;Ee=i}(c=Nn(Ee=t.__c.__z||(t.__c.__z=Ee)))?(t.__e=Ee,i=c):t.__e=i,i=i&&i.nextSibling}else s&&s.some(it);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),me&&me.then||Mr(t),k.__e(me,t,n)}}else i=t.__e=li(n.__e,t,n,o,r,s,a,d,u,e);return(c=k.diffed)&&c(t),i}function Nn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Mr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Mr))}function Ir(e,t,n){for(var o=0;o<n.length;)xo(n[o++],n[o++],n[o++]);k.__c&&k.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){k.__e(s,r.__v)}})}function li(e,t,n,o,r,s,a,i,d,u){var c,p,m,f,v,$,w,P,g=n.props||In,T=t.props,L=t.type;if(L=="svg"?r="http://www.w3.org/2000/svg":L=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((v=s[c])&&(L?v.localName==L:v.nodeType==3)){e=v,s[c]=null;break}}if(!e){if(P=u.ownerDocument||document,!L)return P.createTextNode(T);e=P.createElementNS(r,L,T.is?T:u),i&&(k.__m&&k.__m(t,s),i=!1),s=null}if(L){if(u=L=="template"&&e.content||e,s=L=="textarea"&&T.defaultValue!=null?null:s&&wo.call(u.childNodes),!i&&s)for(g={},c=0;c<e.attributes.length;c++)g[(v=e.attributes[c]).name]=v.value;for(c in g)v=g[c],c=="dangerouslySetInnerHTML"?m=v:c=="children"||c in T||c=="value"&&"defaultValue"in T||c=="checked"&&"defaultChecked"in T||Tn(e,c,null,v,r);for(c in T)v=T[c],c=="children"?f=v:c=="dangerouslySetInnerHTML"?p=v:c=="value"?$=v:c=="checked"?w=v:i&&typeof v!="function"||g[c]===v||Tn(e,c,v,g[c],r);p?(i||m&&(p.__html==m.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(m&&(e.textContent=""),(L=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&oi.test(L))&&(r="http://www.w3.org/1999/xhtml"),Er(u,_o(f)?f:[f],t,n,o,r,s,a,s?s[0]:n.__k&&Qe(n,0),i,d),s&&s.some(it)),i&&L!="textarea"||(c="value",L=="progress"&&$==null?e.removeAttribute(c):$==null||$===e[c]&&(L!="progress"||$)||Tn(e,c,$,g[c],r),c="checked",w!=null&&w!=e[c]&&Tn(e,c,w,g[c],r))}else g===T||i&&e.data==T||(e.data=T);return e}function xo(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){k.__e(r,n)}}function So(e,t,n){var o,r,s,a;if(k.unmount&&k.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||xo(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){k.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&So(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=Nn(o,s=[]))&&(o==e.__e&&s.some(it),it(r),it(o)),n||it(e.__e),e.__e=e.__c=e.__=null}function di(e,t,n){return this.constructor(e,n)}function Ar(e,t){var n,o,r,s;k.__&&k.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=nn(dt,{children:[e]}),r=[],s=[],$o(t,t.__k,o||In,In,t.namespaceURI,o?null:t.firstChild?wo.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Ir(r,t.__k,s),t.__k.props.children=null}function Rr(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,vo(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+kr++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}k={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(i){e=i}}throw Mn=0,e}},Sr=0,go=function(e){return e!=null&&e.constructor===on},St.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=lt({},this.state)),typeof e=="function"&&(e=e(lt({},n),this.props)),e&&(lt(n,e),this.__v&&(t&&this.__k.push(t),vo(this)))},St.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),vo(this))},St.prototype.render=dt,Je=[],Mn=0,Pr=function(e,t){return e.__v.__b-t.__v.__b},En=Symbol(),Or=/(PointerCapture)$|Capture$/i,bo=0,yo={},kr=0;var Ye,H,Po,Lr,Oo=Object.is,Ln=0,Wr=[],ko=[],U=k,Dr=U.__b,Fr=U.__r,Vr=U.diffed,Hr=U.__c,qr=U.unmount,Ur=U.__;function Pt(e,t){U.__h&&U.__h(H,e,Ln||t),Ln=0;var n=H.__H||(H.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function Q(e){return Ln=1,ci(Jr,e)}function ci(e,t,n){var o=Pt(Ye++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Jr(void 0,t),function(s){var a=(o.__N||o.__)[0],i=o.t(a,s);Oo(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=H,!H.__f)){H.__f=!0;var r=H.shouldComponentUpdate;H.shouldComponentUpdate=function(s,a,i){var d=this.__H;if(!d)return!0;var u=!1,c=this.props!=s;if(d.__.some(function(m){m.__N&&(u=!0,Oo(m.__[0],m.__N[0])||(c=!0))}),r){var p=r.call(this,s,a,i);return u?p||c:p}return!u||c}}return o.__}function Y(e,t){var n=Pt(Ye++,3);!U.__s&&To(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,H.__H.__h.push(n))}function Kr(e,t){var n=Pt(Ye++,4);!U.__s&&To(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,H.__h.push(n))}function j(e){return Ln=5,sn(function(){return{current:e}},[])}function sn(e,t){var n=Pt(Ye++,7);return To(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function zr(e){var t=H.context[e.__c],n=Pt(Ye++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(H)),t.props.value):e.__}function Gr(){var e=Pt(Ye++,11);if(!e.__){for(var t=H.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function ui(){var e;do{for(;e=ko.shift();)try{rn(e)}catch(n){U.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=Wr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(rn),t.__h.some(Co),t.__h=[]}catch(n){t.__h=[],U.__e(n,e.__v)}}}while(ko.length)}U.__b=function(e){H=null,Dr&&Dr(e)},U.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ur&&Ur(e,t)},U.__r=function(e){Fr&&Fr(e),Ye=0;var t=(H=e.__c).__H;t&&(Po==H?H.__h=[]:(t.__h.some(rn),t.__h.some(Co),Ye=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Po=H},U.diffed=function(e){Vr&&Vr(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Br(Wr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Po=H=null},U.__c=function(e,t){t.some(function(n){try{n.__h.some(rn),n.__h=n.__h.filter(function(o){return!o.__||Co(o)})}catch(o){n.__h=[function(){throw o}]}}),Hr&&Hr(e,t)},U.unmount=function(e){qr&&qr(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Br(ko.push(r))}else rn(r)}catch(s){t=s}}),o.__H=void 0,t&&U.__e(t,o.__v))};var jr=typeof requestAnimationFrame=="function";function fi(e){var t,n=function(){clearTimeout(o),jr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);jr&&(t=requestAnimationFrame(n))}function Br(e){e!=1&&Lr==U.requestAnimationFrame||((Lr=U.requestAnimationFrame)||fi)(ui)}function rn(e){var t=H,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),H=t}function Co(e){var t=H;e.__c=e.__(),H=t}function To(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Oo(n,e[o])})}function Jr(e,t){return typeof t=="function"?t(e):t}var pi=Symbol.for("preact-signals");function Hn(){if(qe>1)qe--;else{var e,t=!1;for((function(){var r=Fn;for(Fn=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var a=s.t;a!==void 0;a=a.x)a.i===r.i&&(a.i=s.i);r=r.o}})();ln!==void 0;){var n=ln;for(ln=void 0,Dn++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Yr(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(Dn=0,qe--,t)throw e}}function Z(e){if(qe>0)return e();Eo=++mi,qe++;try{return e()}finally{Hn()}}var an,D=void 0;function te(e){var t=D,n=an;D=void 0,an=void 0;try{return e()}finally{D=t,an=n}}var ln=void 0,qe=0,Dn=0,mi=0,Eo=0,Fn=void 0,Vn=0;function Qr(e){if(D!==void 0){var t=e.n;if(t===void 0||t.t!==D)return t={i:0,S:e,p:D.s,n:void 0,t:D,e:void 0,x:void 0,r:t},D.s!==void 0&&(D.s.n=t),D.s=t,e.n=t,32&D.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=D.s,t.n=void 0,D.s.n=t,D.s=t),t}}function K(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}K.prototype.brand=pi;K.prototype.h=function(){return!0};K.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:te(function(){var o;(o=t.W)==null||o.call(t)}))};K.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&te(function(){var r;(r=t.Z)==null||r.call(t)}))}};K.prototype.subscribe=function(e){var t=this;return E(function(){var n=t.value;te(function(){return e(n)})},{name:"sub"})};K.prototype.valueOf=function(){return this.value};K.prototype.toString=function(){return this.value+""};K.prototype.toJSON=function(){return this.value};K.prototype.peek=function(){var e=this;return te(function(){return e.value})};Object.defineProperty(K.prototype,"value",{get:function(){var e=Qr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(Dn>100)throw new Error("Cycle detected");(function(n){qe!==0&&Dn===0&&n.l!==Eo&&(n.l=Eo,Fn={S:n,v:n.v,i:n.i,o:Fn})})(this),this.v=e,this.i++,Vn++,qe++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Hn()}}}});function _(e,t){return new K(e,t)}function Yr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Zr(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Xr(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function ct(e,t){K.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Vn-1,this.f=4}ct.prototype=new K;ct.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Vn))return!0;if(this.g=Vn,this.f|=1,this.i>0&&!Yr(this))return this.f&=-2,!0;var e=D;try{Zr(this),D=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return D=e,Xr(this),this.f&=-2,!0};ct.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}K.prototype.S.call(this,e)};ct.prototype.U=function(e){if(this.t!==void 0&&(K.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};ct.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(ct.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Qr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function x(e,t){return new ct(e,t)}function es(e){var t=e.j;if(e.j=void 0,typeof t=="function"){qe++;var n=D;D=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,No(e),o}finally{D=n,Hn()}}}function No(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,es(e)}function hi(e){if(D!==this)throw new Error("Out-of-order effect");Xr(this),D=e,this.f&=-2;try{8&this.f&&No(this)}finally{Hn()}}function Ot(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,an&&an.push(this)}Ot.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};Ot.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,es(this),Zr(this),qe++;var e=D;return D=this,hi.bind(this,e)};Ot.prototype.N=function(){2&this.f||(this.f|=2,this.u=ln,ln=this)};Ot.prototype.d=function(){this.f|=8,1&this.f||No(this)};Ot.prototype.dispose=function(){this.d()};function E(e,t){var n=new Ot(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var ts,cn,qn,yi=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var ns=[];E(function(){ts=this.N})();function kt(e,t){k[e]=t.bind(null,k[e]||function(){})}function dn(e){if(qn){var t=qn;qn=void 0,t()}qn=e&&e.S()}function os(e){var t=this,n=e.data,o=gi(n);o.name="ReactiveDom",o.value=n;var r=sn(function(){for(var i=t,d=t.__v;d=d.__;)if(d.__c){d.__c.__$f|=4;break}var u=x(function(){var f=o.value.value;return f===0?0:f===!0?"":f||""}),c=x(function(){return!Array.isArray(u.value)&&!go(u.value)}),p=E(function(){if(this.N=ss,c.value){var f=u.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=f)}}),m=t.__$u.d;return t.__$u.d=function(){p(),m.call(this)},[c,u]},[]),s=r[0],a=r[1];return s.value?a.peek():a.value}os.displayName="ReactiveTextNode";Object.defineProperties(K.prototype,{constructor:{configurable:!0,value:Rn(dt,null).constructor},type:{configurable:!0,value:os},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});kt("__b",function(e,t){if(dn(),cn=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof K&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});kt("__r",function(e,t){if(e(t),t.type!==dt){dn();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var a;return E(function(){a=this},{name:s}),a.c=r,a})((function(r){return function(){var s;yi&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),cn=o,dn(n)}});kt("__e",function(e,t,n,o){dn(),cn=void 0,e(t,n,o)});kt("diffed",function(e,t){dn(),cn=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||o&&a in o||(i.d(),s[a]=void 0)}if(o){s||(s={},n.U=s);for(var d in o){var u=s[d],c=o[d];u===void 0?(u=vi(n,d,c,r),s[d]=u):u.o(c,r)}}}e(t)});function vi(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=_(n);return{o:function(a,i){s.value=a,o=i},d:E(function(){this.N=ss;var a=s.value.value;o[t]!==a&&(o[t]=a,r?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}kt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var d in a)i[d]=a[d]}t.__np=void 0}else{var u=t.__c;if(u){u.__$f|=8;var c=u.__$u;c&&(u.__$u=void 0,c.d())}}e(t)});kt("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});St.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function gi(e,t){return sn(function(){return _(e,t)},[])}function rs(e,t){var n=j(e);return n.current=e,cn.__$f|=4,sn(function(){return x(function(){return n.current()},t)},[])}var bi=function(e){queueMicrotask(function(){queueMicrotask(e)})};function _i(){Z(function(){for(var e;e=ns.shift();)ts.call(e)})}function ss(){ns.push(this)===1&&(k.requestAnimationFrame||bi)(_i)}var as=new Set(["id","petId","categoryId"]),wi=/("(?:id|petId|categoryId)"\s*:\s*)(-?(?:0|[1-9][0-9]*))(?![0-9.eE])|"(?:[^"\\]|\\.)*"?/g;function we(e){let t=e.replace(wi,(n,o,r)=>o===void 0?n:`${o}"${r}"`);return JSON.parse(t,function(n,o){return typeof o!="string"||!as.has(n)||!/^-?(?:0|[1-9][0-9]*)$/.test(o)?o:(Object.defineProperty(this,"toJSON",{value:is,configurable:!0,writable:!0}),BigInt(o))})}function is(){let{rawJSON:e}=JSON,t=o=>e?.(String(o))??(Number.isSafeInteger(Number(o))?Number(o):String(o)),n=Object.entries(this).map(([o,r])=>[o,typeof r=="bigint"?t(r):r]);return Object.fromEntries(n)}function se(e){return typeof e=="bigint"?String(e):typeof e!="object"||e===null?JSON.stringify(e):Array.isArray(e)?`[${e.map(n=>se(n)??"null")}]`:"toJSON"in e&&typeof e.toJSON=="function"&&e.toJSON!==is?se(e.toJSON()):`{${Object.entries(e).map(([n,o])=>{let r=typeof o=="number"&&as.has(n)?Me(o):se(o);return r&&`${JSON.stringify(n)}:${r}`}).filter(Boolean)}}`}function Me(e){if(typeof e=="bigint"||Number.isSafeInteger(e))return String(e);throw new TypeError(`${e} is not an exact integer; write it as a bigint, such as 1n`)}var un=["available","pending","sold"],$i=["oldest","name"],xi=["orders","report"],Et=["placed","completed","returned","cancelled","expired"],Ct=e=>{if(e===null||!/^-?\d{1,19}$/.test(e))return;let t=BigInt.asIntN(64,BigInt(e));return String(t)===e?t:void 0},Tt=128,Un=_(location.search),Mo=!1;addEventListener("popstate",()=>{Mo=!1,Un.value=location.search});var h=x(()=>{let e=new URLSearchParams(Un.value);return{category:Ct(e.get("category")),status:un.find(t=>t===e.get("status")),search:e.get("search")?.trim().slice(0,Tt)||void 0,sort:$i.find(t=>t===e.get("sort")),show:xi.find(t=>t===e.get("show")),tab:Et.find(t=>t===e.get("tab")&&t!=="placed"),find:e.get("find")?.trim().slice(0,Tt)||void 0,day:/^\d{4}-\d\d-\d\d$/.exec(e.get("day")??"")?.[0],pet:Ct(e.get("pet"))}}),Io=48,N=100,Si=x(()=>{let{status:e,category:t,search:n,sort:o}=h.value;return se({limit:n||o==="name"?N:Io,status:e,categoryId:t,search:n,order:o==="oldest"?"asc":"desc"})}),je=x(()=>we(Si.value));function Ue(e){let t=new URLSearchParams;for(let[n,o]of Object.entries({...h.value,...e}))o!==void 0&&t.set(n,String(o));return`${location.pathname}${t.size>0?`?${t}`:""}`}function F(e,t=!1){let n=e.pet!==void 0;t||n&&h.value.pet!==void 0?history.replaceState(history.state,"",Ue(e)):history.pushState(n?{}:null,"",Ue(e)),Un.value=location.search}if(history.state===null&&h.value.pet!==void 0){let{href:e}=location;history.replaceState(null,"",Ue({pet:void 0})),history.pushState({},"",e)}function ut(){history.state===null?(history.replaceState(null,"",Ue({pet:void 0})),Un.value=location.search):Mo||(Mo=!0,history.back())}var zo={};ni(zo,{BadRequestError:()=>Ro,ConflictError:()=>Vo,ConnectionError:()=>We,ContentTooLargeError:()=>Uo,ForbiddenError:()=>Lo,GoneError:()=>Ho,HeadersTooLargeError:()=>Ko,InternalError:()=>fn,InvalidWebhookError:()=>Ao,MethodNotAllowedError:()=>Do,NotFoundError:()=>pt,PetStoreError:()=>$e,PreconditionFailedError:()=>qo,RefusedError:()=>Be,RequestTimeoutError:()=>Fo,TimeoutError:()=>Ke,TooManyRequestsError:()=>Mt,UnauthorizedError:()=>Nt,UnavailableError:()=>pn,UnexpectedAnswerError:()=>ft,UnprocessableError:()=>Wo,UnsupportedMediaTypeError:()=>Bo,UriTooLongError:()=>jo});var $e=class extends Error{constructor(t,n={}){super(t,n),Object.assign(this,n)}},Be=class extends $e{};Be.prototype.name="RefusedError";function B(e,t){let n=class extends(t===void 0?$e:Be){};return Object.assign(n.prototype,{name:e,status:t}),n}var We=class extends B("ConnectionError"){},Ke=class extends B("TimeoutError"){},ft=class extends B("UnexpectedAnswerError"){},Ao=class extends B("InvalidWebhookError"){},Ro=class extends B("BadRequestError",400){},Nt=class extends B("UnauthorizedError",401){},Lo=class extends B("ForbiddenError",403){},pt=class extends B("NotFoundError",404){},Do=class extends B("MethodNotAllowedError",405){},Fo=class extends B("RequestTimeoutError",408){},Vo=class extends B("ConflictError",409){},Ho=class extends B("GoneError",410){},qo=class extends B("PreconditionFailedError",412){},Uo=class extends B("ContentTooLargeError",413){},jo=class extends B("UriTooLongError",414){},Bo=class extends B("UnsupportedMediaTypeError",415){},Wo=class extends B("UnprocessableError",422){},Mt=class extends B("TooManyRequestsError",429){},Ko=class extends B("HeadersTooLargeError",431){},fn=class extends B("InternalError",500){},pn=class extends B("UnavailableError",503){};function ls({status:e,headers:t},n){let[,o,r]=/r=(\d+);t=(\d+)/.exec(t.get("ratelimit")??"")??[],s=o?{remaining:Number(o),resetSeconds:Number(r)}:void 0;return{status:e,headers:t,requestId:t.get("x-request-id")??n,rateLimit:s}}function ds(e,t,n){let{status:o,headers:r,requestId:s}=e,a={status:o,requestId:s,retryAfterMs:Ci(r.get("retry-after"))},i=(c,p)=>new ft(`The response, with status ${o}, ${c}.`,{...a,cause:p}),d=o>=200&&o<300||o===304;try{let c=t===""?void 0:we(t);if(d&&n(c))return{...e,body:c};let{code:p,message:m,...f}=Object(c);if(!d&&typeof p=="string"&&typeof m=="string"&&f.status===o)return new(Pi(o))(m,{...a,code:p})}catch(c){return i("is not JSON",c)}let u=r.get("location");return i(u===null?"did not come from the service":`redirects to ${u}`)}function Pi(e){return Object.values(zo).find(({prototype:n})=>n.status===e)??Be}var Oi=250,ki=8e3,jn=e=>e instanceof We||e instanceof Ke||e.status===503,Bn=e=>jn(e)||e.status===429||e.status===408||e.code==="idempotency_in_progress",Go=(e,t)=>t()*Math.min(ki,Oi*2**e);function Ci(e){if(e===null)return;let t=/^[0-9]+$/.test(e)?Number(e)*1e3:Date.parse(e)-Date.now();return Number.isNaN(t)?void 0:Math.max(0,t)}var mn=async(e,t)=>{await new Promise(n=>{let o=()=>{clearTimeout(r),t?.removeEventListener("abort",o),n()},r=setTimeout(o,t?.aborted?0:e);t?.addEventListener("abort",o)}),t?.throwIfAborted()};var Ti="1.0.0",Wn=class{#e;#t=new WeakMap;constructor(t){let{fetch:n=(s,a)=>globalThis.fetch(s,a)}=t??{},{sleep:o=mn,random:r=Math.random}=t??{};this.#e={...t,...Ni(t),fetch:n,sleep:o,random:r}}async call(t,n,o={}){let r=s=>t==="DELETE"||Object(s)===s;return(await this.send(t,n,{...o,isExpected:r})).body}add(t,n,{idempotencyKey:o=It(),...r}={}){return this.call("POST",t,{...r,body:n,idempotencyKey:o})}act(t,n){return this.call("POST",t,{...n,isIdempotent:!0})}remember(t,n){let o=n.get("etag");return o&&Object(t)===t&&this.#t.set(t,o),t}etagOf(t){return this.#t.get(t)}async send(t,n,o={}){let{signal:r,maxRetries:s=this.#e.maxRetries??3}=o,{maxRetryAfterMs:a=this.#e.maxRetryAfterMs??6e4}=o,i=this.#e.baseUrl+cs(n,o.query),d=this.#n(t,o),u=!1;for(let c=0;;c++){r?.throwIfAborted();let p=await this.#r(i,d,o);if(!(p instanceof $e))return this.remember(p.body,p.headers),p;if(u&&t==="DELETE"&&p instanceof pt)return{status:204,headers:new Headers,body:void 0,rateLimit:void 0,requestId:Jo(d)};u||=jn(p);let{retryAfterMs:m=0}=p;if(c>=s||m>a||!Ii(d,o,p))throw p;await this.#e.sleep(m+Go(c,this.#e.random),r)}}pause(t,n){return this.#e.sleep(Go(t,this.#e.random),n)}async*pieces(t,n){let{baseUrl:o,fetch:r,sleep:s}=this.#e,{signal:a}=n,i=new AbortController,d=a?AbortSignal.any([a,i.signal]):i.signal,u=async p=>{let m=new AbortController;s(Ei,m.signal).then(()=>i.abort()).catch(()=>{});let f=await p.catch(()=>{}).finally(()=>m.abort());return a?.throwIfAborted(),f};a?.throwIfAborted();let c=this.#n("GET",n);try{let p=await u(r(o+cs(t,n.query),{...c,signal:d}));if(p&&this.#o(p,c,n),!p?.ok||!p.body)return;let m=p.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let f=await u(m.read());if(!f||f.done)return;yield f.value}}finally{i.abort()}}#n(t,{body:n,idempotencyKey:o,ifMatch:r,headers:s}){let{apiKey:a,headers:i}=this.#e,d=new Headers({Authorization:`Bearer ${a}`,"X-Request-Id":It()});"location"in globalThis||d.set("User-Agent",`petstore-client/${Ti}`),n&&d.set("Content-Type","application/json"),o!==void 0&&d.set("Idempotency-Key",o);let u=typeof r=="object"?this.etagOf(r):r;if(u)d.set("If-Match",u.replace(/^W\//,""));else if(r!==void 0)throw new TypeError("ifMatch: not what create, get, update or put of this client returned");for(let[p,m]of Object.entries({...i,...s}))d.set(p,m);return{method:t,headers:d,redirect:"manual",...(t==="DELETE"||t==="PUT")&&{keepalive:!1},...n&&{body:se(n)}}}async#r(t,n,o){let{signal:r,timeoutMs:s=this.#e.timeoutMs??3e4,isExpected:a=()=>!0}=o,i=AbortSignal.timeout(s),d=r?AbortSignal.any([r,i]):i,u,c;try{u=await this.#e.fetch(t,{...n,signal:d}),c=await u.text()}catch(p){r?.throwIfAborted();let m={cause:p,requestId:Jo(n)};if(i.aborted)return new Ke(`No response within ${s} ms.`,m);let{host:f,origin:v}=new URL(t),$=`The connection to ${f} failed before the response was complete.`;return new We($+Mi(v),m)}return ds(this.#o(u,n,o),c,a)}#o(t,n,{onResponse:o}){let r=ls(t,Jo(n));return this.#e.onResponse?.(r),o?.(r),r}},Ei=3e4,It=()=>Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(16).padStart(2,"0")).join(""),Jo=({headers:e})=>e.get("x-request-id")??"";function cs(e,t={}){let n=new URLSearchParams,o=r=>typeof r=="string"?r:Me(r);for(let[r,s]of Object.entries(t))s!==void 0&&n.set(r,[s].flat().map(o).join());return n.size===0?e:`${e}?${n}`}function Ni({baseUrl:e,apiKey:t}={}){let n=/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(e??"")?.[0],o=/^[!-~]+$/.exec(String(t??"").trim())?.[0];if(n&&o)return{baseUrl:n,apiKey:o};let r=[n?[]:"baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1",o?[]:"apiKey must be a key of the service, as made by `petstore keys create`"];throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${r.flat().join("; ")}`)}function Mi(e){let{location:t}=globalThis;return!t||t.origin===e?"":` The cause may be CORS: the operator must list ${t.origin} in CORS_ORIGINS.`}function Ii({method:e,headers:t},n,o){let{idempotencyKey:r,isIdempotent:s=r!==void 0}=n;return jn(o)?e==="POST"?s:e==="DELETE"||!t.has("if-match"):Bn(o)}var Ai=/(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g,us=e=>/^-?[0-9]+$/.test(e)?e:e.replace(Ai,"'"),At=e=>e.normalize("NFKC").replace(/\s+/g," ").trim().toLowerCase();var Rt,Qo;function Yo(){clearInterval(Qo),Qo=setInterval(()=>{clearInterval(Qo),Rt=void 0},1e3)}function fs(){Rt=void 0}function Ri(e){let{target:t,detail:n,clientX:o,clientY:r}=e,s=t instanceof Element&&t.closest("a, button");if(!s||n===0)return;if(Rt&&Math.hypot(o-Rt.x,r-Rt.y)<24||n>1)e.preventDefault(),e.stopPropagation();else if(s.matches(".deed"))Rt={x:o,y:r};else return;Yo()}var ps=()=>addEventListener("click",Ri,!0);var he="petstore.key";function hs(e){try{return window[e]}catch{return}}var mt=hs("sessionStorage"),ye=hs("localStorage"),A=_(mt?.getItem(he)??ye?.getItem(he)??null),Kn=_(A.value!==null&&ye?.getItem(he)===A.value),hn=new BroadcastChannel(he),ms="";function ys(e){mt?.setItem(he,e),Z(()=>{A.value=e,Kn.value=ye?.getItem(he)===e})}function vs(e,t){t?ye?.setItem(he,e):ye?.getItem(he)===e&&ye.removeItem(he),ys(e),hn.postMessage(e)}function Lt(){for(let e of[mt,ye])e?.getItem(he)===A.value&&e.removeItem(he);Z(()=>{A.value=null,Kn.value=!1})}function gs(){Lt(),ye?.removeItem(he),hn.postMessage(null)}function bs(e){hn.onmessage=({data:t})=>{t===null?(e(),Lt()):t!==ms?(A.value===null||A.value===t)&&ys(t):A.value!==null&&hn.postMessage(A.value)},A.value===null&&hn.postMessage(ms)}var ve=class{#e;#t;constructor(t,n,o={},r){this.#e=o,this.#t=async s=>{let{body:a,headers:i}=await t.send("GET",n,{...r,query:s,isExpected:Array.isArray}),d=a;return Array.isArray(s.id)&&s.id.length===1&&t.remember(d[0],i),{items:d,next:Li(i.get("link"))}}}async page(){return this.#t(this.#e)}async toArray({limit:t=1/0}={}){let n=[];if(t>0){for await(let o of this.#n(Math.min(t,100)))if(n.push(o)>=t)break}return n}[Symbol.asyncIterator](){return this.#n(100)}async*#n(t){let{cursor:n,after:o,from:r,limit:s=t,...a}=this.#e,i={cursor:n,after:o,from:r};for(;;){let{items:d,next:u}=await this.#t({...a,limit:s,...i});if(yield*d,u===void 0||u===i.cursor)return;i={cursor:u}}}};function Li(e){let[,t=""]=/<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(e??"")??[];return new URLSearchParams(t.split("?")[1]).get("cursor")??void 0}var Di=64,zn=class{#e;constructor(t){this.#e=t}list(t,n){return new ve(this.#e,"/events",{...t},n)}async*follow({after:t,cursor:n,...o}={},r={}){let s={start:{after:t,cursor:n}};for(let a=0;;){let i=yield*this.#t(o,s,r);a=i?0:a+1;let d=i?0:Math.min(Di,2**(a-1));do d>0&&!(yield*this.#n(o,s,r))&&(d=0),await this.#e.pause(a,r.signal);while(--d>0)}}async*#t(t,n,o){let{after:r,cursor:s}=n.start,a={...o.headers,...r!==void 0&&{"Last-Event-ID":String(r)}},i=!1,d="",u={...t,cursor:s};for await(let c of this.#e.pieces("/events/stream",{...o,headers:a,query:u})){let p=(d+c).split(`

`);d=p.pop()??"";for(let{id:m,data:f,"":v}of p.map(Fi))i||=f!==void 0||v!==void 0,m!==void 0&&(n.start={after:m},f!==void 0&&(yield we(f)))}return i}async*#n(t,n,o){try{for(;;){let{after:r,cursor:s}=n.start;r===void 0&&s===void 0&&(n.start={from:"now"});let{items:a,next:i}=await this.list({limit:100,...t,...n.start},o).page();if(yield*a,n.start={cursor:i},i===s)return!0}}catch(r){if(!(r instanceof $e&&(Bn(r)||(r.status??0)>=500)))throw r;return o.onError?.(r),!1}}},Fi=e=>Object.fromEntries(e.split(`
`).map(t=>t.split(/: ?(.*)/s,2)));var Gn=class{#e;constructor(t){this.#e=t}list(t,n){return new ve(this.#e,"/webhooks",{...t},n)}async create(t,n){return this.#e.call("POST","/webhooks",{...n,body:t})}async get(t,n){return this.#e.call("GET",ht(t),n)}async update(t,n,o){return this.#e.call("PATCH",ht(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ht(t),n)}async rotate(t,n){return this.#e.call("POST",`${ht(t)}/rotate`,n)}async test(t,n){return this.#e.act(`${ht(t)}/test`,n)}deliveries(t,n,o){return new ve(this.#e,`${ht(t)}/deliveries`,{...n},o)}async redeliver(t,n,o){let r=`${ht(t)}/deliveries/${Me(n)}/redeliver`;return this.#e.act(r,o)}},ht=e=>`/webhooks/${Me(e)}`;var Jn=class{pets;orders;categories;events;webhooks;#e;constructor(t){let n=new Wn(t);this.#e=n,this.pets=new Zo(n),this.orders=new Xo(n),this.categories=new er(n),this.events=new zn(n),this.webhooks=new Gn(n)}async inventory(t){return this.#e.call("GET","/store/inventory",t)}inventoryByCategory(t,n){return new ve(this.#e,"/store/inventory",{by:"category",...t},n)}async sales(t,n){return this.#e.call("GET","/store/sales",{...n,query:{days:t}})}etag(t){return this.#e.etagOf(t)}async me(t){return this.#e.call("GET","/me",t)}async request(t,n,o){if(new URL(n,"http://_").pathname!==n)throw new TypeError("path: not encoded, or has a query");return this.#e.send(t,n,o)}},Zo=class{#e;constructor(t){this.#e=t}list(t,n){return new ve(this.#e,"/pets",{...t},n)}async create(t,n){return this.#e.add("/pets",t,n)}async get(t,n){let o={...n,query:{id:[t]},isExpected:Array.isArray},{body:r,headers:s,requestId:a}=await this.#e.send("GET","/pets",o),[i]=r;if(i)return this.#e.remember(i,s);throw new pt("No animal has this identifier.",{status:404,code:"pet_not_found",requestId:a})}async update(t,n,o){return this.#e.call("PATCH",_s(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",_s(t),n)}},Xo=class{#e;constructor(t){this.#e=t}list(t,n){return new ve(this.#e,"/store/orders",{...t},n)}async place(t,n){return this.#e.add("/store/orders",t,n)}async get(t,n){return this.#e.call("GET",yn(t),n)}async update(t,n,o){return this.#e.call("PATCH",yn(t),{...o,body:n})}async complete(t,n){return this.#e.act(`${yn(t)}/complete`,n)}async cancel(t,n){return this.#e.act(`${yn(t)}/cancel`,n)}async return(t,n){return this.#e.act(`${yn(t)}/return`,n)}},er=class{#e;constructor(t){this.#e=t}list(t,n){return new ve(this.#e,"/categories",{...t},n)}async put(t,n,o){return this.#e.call("PUT",ws(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ws(t),n)}},_s=e=>`/pets/${Me(e)}`,yn=e=>`/store/orders/${Me(e)}`,ws=e=>`/categories/${Me(e)}`;var Vi=new URL("v1",document.baseURI).href,Ss=e=>mt?.getItem(e)??null;function Ps(e,t){t===null?mt?.removeItem(e):mt?.setItem(e,t)}var X=_(!0),vn=_(0),ie=_(null),Ie=_(""),b=e=>ie.value?.scopes.includes(e)??!1,Hi=8,Os={pause:0};function qi(e){let[,t=1,n=1]=/;q=(\d+);w=(\d+)/.exec(e.get("ratelimit-policy")??"")??[],o=Number(n)/Number(t);return 1e3*(Number(e.get("retry-after"))+Math.min(Number(n),Hi*o))}var ks=e=>new Jn({baseUrl:Vi,apiKey:e,timeoutMs:15e3,maxRetryAfterMs:2e3,fetch:async(t,n)=>{try{let o=await fetch(t,n);return X.value=!0,o.status===401&&e===A.value&&Lt(),o.status===429&&(Os.pause=qi(o.headers)),o}catch(o){throw o.name!=="AbortError"&&!t.includes("/events/stream")&&(X.value=!1),o}}}),$s=x(()=>A.value===null?void 0:ks(A.value));function y(){if($s.value)return $s.value;throw new Nt("Nobody is signed in.",{status:401,code:"missing_api_key"})}async function Dt(e,t=Kn.value){let n=A.value;Ie.value="";try{let o=await ks(e).me();if(A.value!==n)return;Z(()=>{ie.value=o,vs(e,t)})}catch(o){let r=o instanceof Nt||o instanceof TypeError;Ft(o),Ie.value=r?"This key is not valid: it may be mistyped, expired or revoked.":ne(o)}}var xs="This animal is not in the store; somebody may have removed it. Look for it again.",Cs="The service cannot do that just now. Try again in a moment.",Ui=new Map([["precondition_failed","It changed meanwhile, and stays as it is now. Look at it before you change it again."],["pet_not_available","Somebody else was faster: this animal is not available now. Choose another one, or wait whether its order is cancelled."],["order_state_conflict","An order on this animal does not allow that. Open the animal: its orders show what can be done."],["pet_not_found",xs],["unknown_pet",xs],["insufficient_scope","This key does not allow that. Ask whoever runs this store for one that does."],["content_too_large","That is too long. Shorten it."],["idempotency_in_progress",Cs]]),ji=new Map([["name","Type a name: up to 1,024 characters, not only blanks, and none that cannot be seen."],["categoryId","There is no such category: its number is too large. Choose another one."],["status","Choose one of the three."],["reference","Type up to 128 characters, not only blanks, and none that cannot be seen."],["heldUntil","Choose a time from now on, within a year."]]);function Ts(e){let{code:t="",message:n}=e;if(!/_field$/.test(t))return;let o=[...ji].filter(([r])=>n.includes(`${r}: `));return o.length>0?new Map(o):void 0}var gn=e=>e instanceof We||e instanceof Ke;function Ft(e){let t=e instanceof Mt;return t&&(vn.value=Os.pause),t}var ae=e=>e instanceof $e?e.code:void 0;function ne(e){if(e instanceof Mt)return`This key has made too many requests. Try again in ${Math.ceil((e.retryAfterMs??0)/1e3)} s. What is missing on the page comes by itself.`;if(gn(e))return"The service cannot be reached. The page tries again by itself.";if([ft,pn,fn].some(n=>e instanceof n))return Cs;let{message:t}=e;return Ui.get(ae(e))??`The service did not take that. If it stays so, tell whoever runs this store: “${t}”`}var bn=e=>e instanceof Be&&e.status<500&&e.status!==408&&e.status!==429&&e.code!=="idempotency_in_progress";var I=_([]),V=_([]),xe=_([]),M=_(null),Ae=_(null),_n=_([]),vt=_(null),Xe=_(new Set),Se=_(null),ce=_(!1),Vt=_(!1),et=_(""),Ze=_(null),tt=_(null),G=_([]),z=_(null),C=_(null),wn=_(new Map),nt=_(""),J=_(history.state?.sheet??null),Qn=_(null),le=Qn;function R(e){let t=Qn.peek();Qn.value=e,t?.whenGone?.()}var gt=_(null),de=_(new Set);function Es(e){let t=_(we(Ss(e)??"null"));return E(()=>Ps(e,t.value&&se(t.value))),t}var ge=Es("petstore.add"),O=Es("petstore.edit"),be=x(()=>I.value.at(-1)?.next),Bi=x(()=>se(G.value.map(({categoryId:e,label:t,name:n})=>({id:e,label:t,name:n})))),Ns=x(()=>we(Bi.value)),Wi=x(()=>new Map(Ns.value.map(({id:e,label:t})=>[e,t]))),q=e=>Wi.value.get(e)??`Category ${e}`,Ms=x(()=>new Map(Ns.value.flatMap(({id:e,name:t})=>t===void 0?[]:[[e,t]]))),yt=x(()=>{let{status:e,category:t,search:n}=h.value;if(n){if(e||be.value||ce.value||Se.value)return;let r=I.value.flatMap(({pets:a})=>a),s=a=>r.filter(i=>i.status===a).length;return{available:s("available"),pending:s("pending"),sold:s("sold")}}if(t===void 0||!Ze.value)return Ze.value??void 0;let o={available:0,pending:0,sold:0};return G.value.find(({categoryId:r})=>r===t)??o}),bt=({available:e,pending:t,sold:n})=>e+t+n,ze=x(()=>{let{status:e}=h.value;return yt.value&&(e?yt.value[e]:bt(yt.value))}),Yn=x(()=>z.value?.orders.some(({status:e})=>/placed|completed/.test(e))??!1),Ht=(e,t)=>se(e)===se(t),Re={count:0};function Le(e){Re.count++;let t=o=>o.id===e.id&&!Ht(o,e),n=o=>o.map(r=>r.id===e.id?e:r);Z(()=>{z.value?.pet?.id===e.id&&(z.value={...z.value,pet:e}),V.value.some(t)&&(V.value=n(V.value)),I.value.some(({pets:o})=>o.some(t))&&(I.value=I.value.map(o=>o.pets.some(t)?{...o,pets:n(o.pets)}:o))})}function qt(e){if(Re.count++,!C.value)return;let t=C.value.items.map(n=>n.order.id===e.id?{...n,order:e}:n);C.value={...C.value,items:t}}function ue(e,t){A.value!==null&&(gn(e)?X.value=!1:R({text:ne(e),isError:!0,isWaiting:Ft(e),undo:t}))}function Is(){Z(()=>{Qn.value=null,Lt(),et.value=nt.value=Ie.value="",wn.value=new Map,Ze.value=tt.value=z.value=C.value=null,J.value=ie.value=ge.value=O.value=null,Ae.value?.stop(),M.value=vt.value=null,_n.value=I.value=V.value=xe.value=G.value=[],Xe.value=new Set})}var Ki=5,Ut=new Intl.Collator(void 0,{numeric:!0}),zi=1e3,wt=e=>e.normalize("NFKD").replace(/\p{M}/gu,"").toLowerCase(),Zn=e=>wt(e).match(/[\p{L}\p{N}]+/gu)??[],As=e=>/[\p{L}\p{N}]/u.test(e.normalize("NFKD")),Gi=(e,t)=>t.some(n=>n===e||e.length>2&&n.startsWith(e));function Ji(e){let t=e.split(/\s+/);return[...Ms.value].flatMap(([n,o])=>{let r=Zn(o),s=t.filter(i=>!Zn(i).some(d=>Gi(d,r)));if(s.length===t.length)return[];let a=s.join(" ");return{categoryId:n,search:As(a)?a:void 0,others:r.length+s.length}}).sort((n,o)=>n.others-o.others).slice(0,Ki)}var Qi=x(()=>{let{search:e,...t}=je.value;if(e===void 0)return se([je.value]);let n=t.categoryId===void 0?Ji(e):[],o=As(e)?[je.value]:[];return se([...o,...n.map(({categoryId:r,search:s})=>({...t,categoryId:r,search:s}))])}),_t=x(()=>we(Qi.value));async function Yi(e){let{search:t,...n}=je.value,o=Ct(t?.replace(/^#/,"")??null);if(o===void 0)return[];let{items:r}=await y().pets.list({...n,id:[o]},e).page();return r}function Zi(e,t){let n=Zn(t).join(" "),[o=[],r=[]]=[!0,!1].map(s=>e.filter(({name:a})=>Zn(a).join(" ")===n===s));return[...o,...r]}async function $n(e,t,n,o){let r=e??{source:0,cursor:void 0},s=e?[]:await Yi(n);for(;r;){let a=_t.value[r.source];if(!a)return{pets:s,next:void 0};let{items:i,next:d}=await y().pets.list({...a,...o&&{limit:o},cursor:r.cursor},n).page(),c=r.source+1>=_t.value.length?void 0:{source:r.source+1,cursor:void 0};for(let{id:f}of s)t.add(f);let p=i.filter(({id:f})=>!t.has(f));s.push(...je.value.search?Zi(p,je.value.search):p),r=d?{source:r.source,cursor:d}:c;let m=h.value.sort==="name"?zi:1;if(s.length>=m)break}for(let{id:a}of s)t.add(a);return{pets:s,next:r}}var Rs=1e3,Xi=10,tr={count:0};async function nr(e){let t=[...new Set(e.map(({petId:r})=>r))],n=Array.from({length:Math.ceil(t.length/N)},(r,s)=>{let a=t.slice(s*N,(s+1)*N);return y().pets.list({limit:N,id:a}).page()}),o=new Map((await Promise.all(n)).flatMap(({items:r})=>r.map(s=>[s.id,s])));return e.flatMap(r=>{let s=o.get(r.petId);return s?{order:r,pet:s}:[]})}async function Ls(e){let t=await y().orders.list(e).page();return{items:await nr(t.items),next:t.next?{...e,cursor:t.next}:void 0}}var Xn=e=>({limit:N,order:"desc",status:e}),el=({order:e},{order:t})=>(e.heldUntil??"~")<(t.heldUntil??"~")?-1:e.heldUntil===t.heldUntil?0:1,or=e=>[...new Map(e.map(t=>[t.order.id,t])).values()];async function rr(e,t){let{items:n,next:o}=e;for(;o&&n.length<t;){let r=await Ls(o);n=or([...n,...r.items]),o=r.next}return{items:o?.status==="placed"||n[0]?.order.status==="placed"?n.toSorted(el):n,next:o}}var tl=()=>rr({items:[],next:Xn("placed")},Rs);async function nl(e){let{orders:t,pets:n}=y(),o=Ct(e.replace(/^#/,"")),r=async v=>(await t.list({petId:v,limit:N,order:"desc"}).page()).items,s=async()=>{let v=[{status:"sold"},{}],$=/[\p{L}\p{N}]/u.test(e)?v.map(P=>n.list({...P,search:e,limit:Xi,order:"desc"}).page()):[],w=new Set((await Promise.all($)).flatMap(({items:P})=>P.map(g=>g.id)));return(await Promise.all([...w].map(r))).flat()},a=async v=>{let $=await t.get(v).catch(w=>{if(ae(w)!=="order_not_found")throw w});return $?[$]:[]},i=wt(e),d=({order:v,pet:$})=>[v.reference??"",$.name].some(w=>wt(w).includes(i)),[u,...c]=await Promise.all([tl(),o===void 0?[]:a(o),o===void 0?[]:r(o),t.list({reference:e,limit:N,order:"desc"}).page().then(({items:v})=>v),s()]),[p=[],...m]=c,f=[...await nr(p),...u.items.filter(d),...await nr(m.flat())];return{items:or(f),next:void 0}}async function sr(e,t){let n=++tr.count,o=Re.count;try{let r=await e();return n!==tr.count?void 0:o===Re.count?r:await sr(e,t)}catch(r){return n===tr.count?{...t,failure:r}:void 0}}async function xn(){let{find:e,tab:t="placed"}=h.value,n=t==="placed"?Rs:Math.max(Io,C.value?.items.length??0),o={items:[],next:void 0},r=await sr(()=>e?nl(e):rr({...o,next:Xn(t)},n),o);r&&(C.value=r),await eo()}async function ar(){let e=C.value;if(!e)return;let{failure:t,...n}=e;C.value=await sr(()=>rr(n,n.items.length+1),n)??C.value}async function eo(){try{let e=await Promise.all(Et.map(t=>y().orders.list(Xn(t)).page()));wn.value=new Map(Et.map((t,n)=>[t,ol(e[n])]))}catch(e){ue(e)}}var ol=e=>`${e?.items.length??0}${e?.next?"+":""}`,De=()=>h.value.show==="orders"&&b("orders:read")&&b("pets:read");async function Ds(e){if(!De()||!C.value)return;let{find:t,tab:n}=h.value,o=C.value.items.filter(({pet:a})=>e.includes(a.id)),[r,...s]=await Promise.all([t||n?void 0:Ls(Xn("placed")),...o.map(({order:a})=>y().orders.get(a.id))]);Z(()=>{for(let a of s)qt(a);r&&C.value&&(C.value={...C.value,items:or([...C.value.items,...r.items])})}),await eo()}var Fe=_(null),Fs=["order.completed","order.returned"],jt=()=>{let e=new Date,t=n=>String(n).padStart(2,"0");return`${e.getFullYear()}-${t(e.getMonth()+1)}-${t(e.getDate())}`},Bt=()=>h.value.show==="report"&&b("orders:read")&&b("events:read")&&b("pets:read");async function rl(e){try{let{items:t}=await y().events.list({type:Fs,after:e,limit:1}).page();return t[0]}catch(t){if(ae(t)==="events_expired")return"early";throw t}}async function sl(e){let t=async r=>{let s=await rl(r);return s==="early"||s!==void 0&&s.at<e};if(!await t(0n))return 0n;let[n,o]=[0n,1n];for(;await t(o);)[n,o]=[o,o*4n];for(;o-n>1n;){let r=(n+o)/2n;await t(r)?n=r:o=r}return n}async function al(e){let t=new Date(`${e}T00:00`),n=new Date(t.getFullYear(),t.getMonth(),t.getDate()+1),[o,r]=[t.toISOString(),n.toISOString()],s=[];for await(let u of y().events.list({type:Fs,after:await sl(o),limit:N})){if(u.at>=r)break;u.at>=o&&s.push(u)}let a=[...new Set(s.map(({data:u})=>u.petId))],i=new Map;for(let u=0;u<a.length;u+=N){let{items:c}=await y().pets.list({id:a.slice(u,u+N),limit:N}).page();for(let p of c)i.set(p.id,p)}let d=s.map(({at:u,type:c,data:p,by:m})=>{let f=p;return{at:u,what:c==="order.completed"?"sold":"returned",order:f,pet:i.get(f.petId),by:m}});return{day:e,rows:d}}async function Wt(){let e=h.value.day??jt();Fe.value?.day!==e&&(Fe.value=null);let t=await al(e).catch(n=>({day:e,rows:[],failure:n}));(h.value.day??jt())===e&&(Fe.value=t)}async function Vs(){Bt()&&await Wt()}var ir=1e3,il=150,Ve={list:0,counts:0,animal:0},Us=e=>new Set(e.flatMap(({pets:t})=>t.map(({id:n})=>n)));async function js(e){let t=++Ve.list;ce.value=!0,Se.value=null;try{let n=await $n(e,Us(e?I.value:[]));if(t!==Ve.list)return;Z(()=>{ce.value=!1,e||Hs(),I.value=[...I.value,n],e||(Kt.value=new Date)})}catch(n){if(t!==Ve.list)return;Z(()=>{ce.value=!1,Ft(n),e||Hs(),Se.value=n})}}var Kt=_(null);function Hs(){I.value.length>0&&scrollTo(0,0),I.value=V.value=xe.value=[]}var to=()=>js();async function no(){be.value&&!ce.value&&await js(be.value)}function lr(e){let t=e.map(o=>({...o,label:o.name??`Category ${o.categoryId}`})),n=Map.groupBy(t,({label:o})=>o);return t.map(o=>n.get(o.label)?.length===1?o:{...o,label:`${o.label} (${o.categoryId})`}).sort((o,r)=>Ut.compare(o.label,r.label))}async function _e(){let e=++Ve.counts,[t,n,o]=await Promise.all([y().inventory(),y().inventoryByCategory().toArray({limit:ir}),y().sales(30)]);e===Ve.counts&&Z(()=>{Ze.value=t,G.value=lr(n),tt.value=o})}async function Pe(e){let t=++Ve.animal,n=Re.count,o=()=>t===Ve.animal&&h.value.pet===e;z.value?.pet?.id!==e&&(z.value=null);try{let[r,s,a]=await Promise.all([y().pets.get(e),b("orders:read")?y().orders.list({petId:e}).toArray({limit:ir}):[],b("events:read")?y().events.list({petId:e,limit:N}).toArray({limit:ir}):[]]);if(!o())return;if(n!==Re.count)return await Pe(e);z.value={pet:r,orders:s,events:a},Le(r)}catch(r){if(!o())return;Ft(r),z.value===null||ae(r)==="pet_not_found"?z.value={orders:[],failure:r}:ue(r)}}async function ll(){let e=V.value;if(e.length===0)return;let t=e.slice(0,N).map(o=>o.id),{items:n}=await y().pets.list({limit:N,id:t}).page();V.value===e&&(V.value=[...n.reverse(),...e.slice(N)])}async function dl(){let e=Ve.list,t=Re.count,n=[],o;for(;n.length<I.value.length&&(n.length===0||o);){let r=await $n(o,Us(n));if(e!==Ve.list)return;if(t!==Re.count)return await oe();n.push(r),o=r.next}Kt.value=new Date,I.value=n.map((r,s)=>{let a=I.value[s];return a&&Ht(r,a)?a:r})}async function oe(){if(A.value===null?X.value=!0:ie.value||await Dt(A.value),!!b("pets:read")){Se.value&&(I.value.length===0?to():no());try{await _e(),De()&&await xn(),Bt()&&await Wt(),h.value.pet!==void 0&&await Pe(h.value.pet),xe.value=[],await ll(),await dl()}catch(e){ue(e)}}}function Bs(){Ve.list++,Fe.value=null,Is()}function oo(){Bs(),gs()}function qs(e,t){let n=x(()=>h.value[t]??"");E(()=>{let o=n.value;te(()=>{e.value.trim()!==o&&(e.value=o)})}),E(()=>{let o=e.value.trim();if(o===te(()=>n.value))return;let r=setTimeout(()=>F({[t]:o||void 0},!0),o?il:0);return()=>clearTimeout(r)})}function Ws(){E(()=>{A.value!==null||!ie.value||(Ie.value="This key is no longer valid. Enter another one; nothing you typed is lost.",ie.value=null)}),qs(et,"search"),qs(nt,"find");let e=x(()=>b("pets:read"));E(()=>{e.value&&te(()=>_e().catch(ue))});let t=x(()=>h.value.sort==="name");E(()=>{t.value,e.value&&_t.value&&te(to)});let n=x(()=>De()&&`${h.value.tab} ${h.value.find}`);E(()=>{n.value&&te(xn)});let o=x(()=>Bt()&&(h.value.day??"today"));E(()=>{o.value&&te(Wt)});let r=x(()=>e.value?h.value.pet:void 0);E(()=>{let s=r.value;te(()=>{s===void 0?z.value=null:Pe(s)})}),E(()=>{if(X.value)return;let s=setInterval(oe,5e3);return()=>clearInterval(s)}),E(()=>{if(vn.value===0)return;let s=setTimeout(()=>{vn.value=0,le.value?.isWaiting&&R(null),oe()},vn.value);return()=>clearTimeout(s)}),addEventListener("offline",()=>{X.value=!1}),addEventListener("online",oe),document.addEventListener("visibilitychange",()=>document.visibilityState==="visible"&&oe()),E(()=>{let s=A.value;te(()=>{s!==null&&!ie.value&&Dt(s)})}),bs(Bs)}var zs=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++s]]=i:a===6?o[1][t[++s]]+=i+"":a?(r=e.apply(i,zs(e,i,n,["",null])),o.push(r),i[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(i)}return o},Ks=new Map;function Gs(e){var t=Ks.get(this);return t||(t=new Map,Ks.set(this,t)),(t=zs(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",i="",d=[0],u=function(m){s===1&&(m||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?d.push(0,m,a):s===3&&(m||a)?(d.push(3,m,a),s=2):s===2&&a==="..."&&m?d.push(4,m,0):s===2&&a&&!m?d.push(5,0,!0,a):s>=5&&((a||!m&&s===5)&&(d.push(s,0,a,r),s=6),m&&(d.push(s,m,0,r),s=6)),a=""},c=0;c<n.length;c++){c&&(s===1&&u(),u(c));for(var p=0;p<n[c].length;p++)o=n[c][p],s===1?o==="<"?(u(),d=[d],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(u(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[c][p+1]===">")?(u(),s===3&&(d=d[0]),s=d,(d=d[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(u(),s=2):a+=o),s===3&&a==="!--"&&(s=4,d=d[0])}return u(),d})(e)),t),arguments,[])).length>1?t:t[0]}var l=Gs.bind(Rn),S=e=>e.toLocaleString("en"),fe=e=>`${S(e)} animal${e===1?"":"s"}`,zt=2048,re=e=>({currentTarget:t})=>e(t.value),ro=()=>l`<a class="reference" href="docs">API reference</a>`,so=e=>l`<th role="columnheader" scope="col">${e}</th>`,Sn=({status:e})=>l`<span class="status ${e}">${e}</span>`,cl=new Intl.Segmenter;function ao({pet:e}){let[t]=cl.segment(e.name.replace(/^[\p{C}\p{Z}]+/u,"").slice(0,32)),n=(Number(BigInt.asUintN(16,e.categoryId))*67+20)%360;return l`<span class="initial" aria-hidden="true" style=${{"--hue":n}}>${t?.segment.toUpperCase()}</span>`}function Oe({of:e,field:t}){let n=gt.value?.of===e&&gt.value.fields.get(t);return n?l`<p role="alert" class="refusal" id="${t}-fault">${n}</p>`:void 0}function ke({title:e,isForm:t,onClose:n,children:o}){let r=j(null),s=j(null),a=j(!1);Y(()=>(r.current?.showModal(),()=>{gt.value=null}),[]),Y(()=>{r.current?.contains(document.activeElement)||s.current?.focus()});let i=u=>{u.preventDefault(),n()},d=({target:u})=>u===r.current;return l`<dialog ref=${r} aria-labelledby="sheet-title" onCancel=${i}
    onMouseDown=${u=>a.current=d(u)}
    onClick=${u=>a.current&&d(u)&&n()}>
    <div class="sheet">
      <div class="head">
        <h2
          id="sheet-title"
          ref=${s}
          dir="auto"
          tabindex=${e.length>99?0:-1}
          autofocus=${!t}
        >
          ${e}
        </h2>
        <button type="button" class="plain" onClick=${n}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Close</span>
        </button>
      </div>
      ${o}
      <${Jt} />
    </div>
  </dialog>`}var ul=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Qs={day:"numeric",month:"short",hour:"numeric",minute:"2-digit"},fl=new Intl.DateTimeFormat(void 0,Qs),pl=new Intl.DateTimeFormat(void 0,{...Qs,year:"numeric"});function Ce({at:e}){let t=new Date(e),n=t.getFullYear()===new Date().getFullYear()?fl:pl;return l`<time datetime=${e}>${n.format(t)}</time>`}var Gt=()=>b("events:read")?Vt.value&&X.value&&l`<span class="freshness live quiet">Live</span>`:Kt.value!==null&&l`<span class="freshness quiet">
        As of <time datetime=${Kt.value.toISOString()}>${ul.format(Kt.value)}</time>
        <button type="button" class="plain" onClick=${oe}>Refresh</button>
        <span>Not live: this key lacks <code>events:read</code>.</span>
      </span>`,ml=8;function hl(){document.activeElement===document.body&&document.querySelector("dialog #sheet-title")?.focus()}function Js(){let{text:e="",undo:t}=le.peek()??{};R({text:e,undo:t})}function yl({onSave:e}){let t=j(null),n=j(!1);Y(()=>(matchMedia("(pointer: fine)").matches&&t.current?.focus({preventScroll:!0}),()=>setTimeout(hl)),[]);let o=()=>{let i=t.current?.value.trim();n.current||(n.current=!0,i?e(i):Js())};return l`<form onSubmit=${i=>{i.preventDefault(),o()}}>
    <input
      ref=${t}
      aria-label="For whom (Enter skips it)"
      placeholder="For whom? Enter skips"
      dir="auto"
      maxlength="256"
      autocomplete="off"
      onKeyDown=${i=>{i.key==="Escape"&&(i.preventDefault(),i.stopPropagation(),n.current=!0,Js())}}
      onBlur=${()=>t.current?.value.trim()&&o()}
    />
  </form>`}function Jt(){let e=j(null),{text:t,undo:n,isError:o,refer:r}=le.value??{};return Y(()=>{if(!t||o||!X.value)return;let s=ml,a=setInterval(()=>{!e.current?.matches(":hover, :focus-within")&&--s<=0&&R(null)},1e3);return()=>clearInterval(a)},[le.value,X.value]),l`<div class="messages" role="status" ref=${e}>
    ${!X.value&&l`<p class="message offline">
        No connection. ${(ge.value?.name||O.value)&&"What you typed is kept. "}
        <button type="button" onClick=${oe}>Try again</button>
      </p>`}
    ${t&&l`<div class="message ${o?"failed":""}"><span dir="auto">${t}</span>
        ${r&&l`<${yl} key=${le.value} onSave=${r} />`}
        ${n&&l`<button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick=${n}>Undo</button>`}
        <button type="button" class="plain" onClick=${()=>R(null)}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Dismiss</span>
        </button>
      </div>`}
  </div>`}async function pe(e,t,n){if(de.value.has(e))return!1;de.value=new Set(de.value).add(e),R(null),gt.value=null;let o=!navigator.onLine;try{return R(await t()),Yo(),_e().catch(ue),!0}catch(r){fs();let s=vl(e)&&Ts(r);return s?(gt.value={of:e,fields:s},!1):(ue(r,bn(r)?void 0:n),gn(r)&&R({text:bl(e,o),isError:!0,undo:n}),bn(r)&&oe(),!1)}finally{de.value=new Set([...de.value].filter(r=>r!==e))}}var vl=e=>/^(?:add|save|name|hold)\b/.test(e),gl={add:["The animal","added"],save:["What you typed","saved"],order:["The order","placed"],move:["The order","changed"],hold:["The order","saved"],name:["The name","saved"],remove:["The animal","removed"],undo:["It","undone"]};function bl(e,t){let[n,o]=gl[e.replace(/ .*/,"")]??["It","done"];return t&&!navigator.onLine?`${n} was not ${o}. Try again when the connection is back.`:`${n} was perhaps ${o}: no answer came. When the connection is back, the page shows how it is.`}function $t(e,t){let n=()=>pe(`undo ${e}`,t,n);return n}function ee({name:e}){let t=[...e];return l`<bdi>${t.length>40?`${t.slice(0,39).join("")}…`:e}</bdi>`}var _l=e=>G.value.find(({categoryId:t})=>t===e)?.label,Ge=e=>ee({name:e});async function io(e){let t=lr(await y().inventoryByCategory().toArray()),n=t.find(a=>[a.label,a.name??""].some(i=>At(i)===At(e)));if(n)return n.categoryId;let s=t.map(({categoryId:a})=>a).filter(a=>a<1n<<52n).reduce((a,i)=>i>a?i:a,0n)+BigInt(1+Math.floor(Math.random()*1e6));return await y().categories.put(s,{name:e.trim()}),s}var Ys=e=>pe("name new",async()=>{let t=new Set(G.value.map(({categoryId:r})=>r)),n=await io(e);if(await _e(),t.has(n))return{text:l`There is a category ${Ge(_l(n)??e)} already.`};let o=$t("name new",async()=>(await y().categories.delete(n),{text:l`The category ${Ge(e)} was removed again.`}));return{text:l`The category ${Ge(e)} was added.`,undo:o}}),Zs=({categoryId:e,label:t,name:n},o)=>pe(`name ${e}`,async()=>{let r=await y().categories.put(e,{name:o});await _e();let s=$t(`name ${e}`,async()=>(n?await y().categories.put(e,{name:n},{ifMatch:r}):await y().categories.delete(e,{ifMatch:r}),{text:l`${Ge(o)} is called ${Ge(t)} again.`}));return{text:l`${Ge(t)} is called ${Ge(o)} now.`,undo:s}}),Xs=({categoryId:e,label:t,name:n=t})=>pe(`name ${e}`,async()=>{await y().categories.delete(e),await _e();let o=$t(`name ${e}`,async()=>(await y().categories.put(e,{name:n}),{text:l`The category ${Ge(n)} is back.`}));return{text:l`The category ${Ge(n)} was removed.`,undo:o}});async function ea({id:e}){let t=await y().pets.get(e);return{pet:t,etag:ta(t)}}var ta=e=>y().etag(e)??"",na=(e,t)=>pe("add",async()=>{let{name:n,category:o,newCategory:r=""}=e,s=o?BigInt(o):await io(r),a=await y().pets.create({name:n,categoryId:s},{idempotencyKey:t});V.value=[a,...V.value];let i=$t("add",async()=>(await y().pets.delete(a.id,{ifMatch:a}),V.value=V.value.filter(({id:d})=>d!==a.id),{text:l`${ee(a)} was removed again.`}));return{text:l`${ee(a)} was added.`,undo:i}});function oa(e){let t={isKept:!1},n=()=>{Xe.value=new Set([...Xe.value].filter(s=>s!==e.id))},o=()=>{t.isKept=!0,R({text:l`${ee(e)} stays.`})},r=async()=>{if(t.isKept)return n();try{await y().pets.delete(e.id),_e().catch(ue)}catch(s){if(ae(s)==="pet_not_found")return;n();let a=ae(s)==="order_state_conflict"?"it stays in the books with its orders.":ne(s);R({text:l`${ee(e)} was not removed: ${a}`,isError:!0})}};Xe.value=new Set(Xe.value).add(e.id),ut(),R({text:l`${ee(e)} will be removed when this message goes.`,undo:o,whenGone:r})}var ra=({id:e})=>pe("edit",async()=>{let{pet:t,etag:n}=await ea({id:e}),o=O.value;if(Le(t),O.value={before:t,etag:n,name:t.name,category:String(t.categoryId),status:t.status},!o||Object.keys(Qt(o)).length===0)return null;let r=()=>{R(null),O.value=o,F({pet:o.before.id})};return{text:l`What you typed for ${ee(o.before)} was dropped.`,undo:r}});function Qt({before:e,name:t,category:n,status:o}){let r=n?BigInt(n):e.categoryId;return{...t!==e.name&&{name:t},...r!==e.categoryId&&{categoryId:r},...o!==e.status&&!Yn.value&&{status:o}}}var cr=(e,t)=>Object.fromEntries(Object.keys(t).map(n=>[n,e[n]])),ur=()=>pe("save",async()=>{let e=O.value;if(!e)return null;let{before:t}=e;if(!e.category){let s=String(await io(e.newCategory??""));e=O.value={...O.value??e,category:s}}let n=Qt(e);if(Object.keys(n).length===0)return O.value=null,null;let o=await wl(e,n);if(!o)return null;Le(o),O.value=O.value===e||!O.value?null:{...O.value,before:o,etag:ta(o)};let r=$t("save",async()=>{let s=await y().pets.update(t.id,cr(t,n),{ifMatch:o});return Le(s),{text:l`${ee(s)} is as it was.`}});return{text:l`${ee(o)} was saved.`,undo:r}});async function wl({before:e,etag:t},n){try{return await y().pets.update(e.id,n,{ifMatch:t})}catch(o){if(ae(o)!=="precondition_failed")throw o;let{pet:r,etag:s}=await ea(e);if(Le(r),await Pe(e.id),Object.entries(n).every(([a,i])=>r[a]===i))return r;O.value&&(O.value={...O.value,theirs:r,etag:s})}}function sa(){O.value=null}async function aa(){let e=O.value;if(!e?.theirs)return;let{name:t,categoryId:n,status:o}={...e.theirs,...Qt(e)},{etag:r,theirs:s}=e;O.value={before:s,etag:r,name:t,category:String(n),status:o},await ur()}var dr=new WeakMap,Yt=(e,t)=>pe(`order ${e.id}`,async()=>{let n=dr.get(e)??It();dr.set(e,n);let{reference:o,heldUntil:r}=t??{},s=r!==void 0&&Date.parse(r)>Date.now(),a={petId:e.id,...o&&{reference:o},...s&&{heldUntil:r}},i=await y().orders.place(a,{idempotencyKey:n});return dr.delete(e),C.value&&(C.value={...C.value,items:[{order:i,pet:e},...C.value.items]}),await pr(e,"pending"),ia(e,i)});function ia(e,t){let{reference:n}=t,o=()=>ot(e,t,"cancel");return n?{text:l`${ee(e)} is reserved for ${ee({name:n})}.`,undo:o}:{text:l`${ee(e)} is reserved.`,undo:o,refer:r=>fr(e,t,{reference:r})}}var fr=(e,{id:t,status:n},o)=>pe(`hold ${t}`,async()=>{let r=await y().orders.update(t,o);return qt(r),h.value.pet===e.id&&await Pe(e.id),n==="placed"?ia(e,r):{text:l`Order ${t} was saved.`}}),$l={complete:["sold",e=>l`${ee(e)} is sold.`],cancel:["available",e=>l`The order is cancelled; ${ee(e)} is available again.`],return:["available",e=>l`${ee(e)} was taken back, and is available again.`]},ot=(e,t,n)=>pe(`move ${t.id}`,async()=>{let[o,r]=$l[n];qt(await y().orders[n](t.id)),await pr(e,o);let s={complete:()=>xl(e,t),cancel:()=>Yt(e,t),return:void 0}[n];return{text:r(e),undo:s}}),xl=(e,t)=>pe(`move ${t.id}`,async()=>(qt(await y().orders.return(t.id)),await pr(e,"available"),await Yt(e,t),le.value));function lo(e,t){confirm(`Take ${e.name} back? Its sale is undone, and it is available again.`)&&ot(e,t,"return")}async function pr(e,t){Le({...e,status:t}),De()&&eo(),h.value.pet===e.id&&await Pe(e.id)}function Sl(e,t){let n=wt(t.trim());return n?e.map(r=>({choice:r,at:wt(r.text).indexOf(n)})).filter(({at:r})=>r>=0).sort((r,s)=>Math.min(r.at,1)-Math.min(s.at,1)).map(({choice:r})=>r):e}function Zt({label:e,text:t,choices:n,placeholder:o,required:r,onPick:s,onType:a}){let i=Gr(),d=j(null),[u,c]=Q(!1),[p,m]=Q(null),[f,v]=Q(0),$=u?Sl(n,p??""):[];Y(()=>{d.current?.children[f]?.scrollIntoView({block:"nearest"})},[f,u]);let w=()=>{c(!1),m(null)},P=()=>{c(!0),v(Math.max(0,p===null?n.findIndex(W=>W.text===t):0))},g=W=>{W&&s(W.value),w()},T=({currentTarget:{value:W}})=>{m(W),c(!0),v(0),a?.(W)},L=W=>{let Te={ArrowDown:1,ArrowUp:-1}[W.key];if(Te&&!u)P();else if(Te)v((f+Te+$.length)%Math.max(1,$.length));else if(u&&W.key==="Enter")g($[f]);else if(u&&W.key==="Escape")w();else return;W.preventDefault(),W.stopPropagation()},st=u&&$.length>0;return l`<div class="combobox">
    <input
      role="combobox"
      dir="auto"
      aria-label=${e}
      aria-expanded=${st}
      aria-controls=${i}
      aria-autocomplete="list"
      aria-activedescendant=${st?`${i}-${f}`:void 0}
      autocomplete="off"
      placeholder=${o}
      required=${r}
      value=${p??t}
      onInput=${T}
      onKeyDown=${L}
      onClick=${P}
      onFocus=${({currentTarget:W})=>W.select()}
      onBlur=${w}
    />
    <ul id=${i} role="listbox" aria-label="${e}: what fits" hidden=${!st} ref=${d}>
      ${$.map(({value:W,text:Te,note:Ee},xt)=>l`<li
          key=${W}
          id="${i}-${xt}"
          role="option"
          dir="auto"
          aria-selected=${xt===f}
          onMouseDown=${Ne=>Ne.preventDefault()}
          onClick=${()=>g($[xt])}
        >
          ${Te}${Ee!==void 0&&l` <small>${Ee}</small>`}
        </li>`)}
    </ul>
  </div>`}var Pn=()=>G.value.map(e=>({value:String(e.categoryId),text:e.label,note:S(bt(e))}));function mr({category:e,newCategory:t="",put:n}){let o=r=>{let s=G.value.find(({label:a})=>At(a)===At(r));n({category:s?String(s.categoryId):"",newCategory:s?"":r})};return l`<div class="field">
    <span aria-hidden="true">Category</span>
    <${Zt}
      label="Category"
      placeholder="Choose one, or type a new one"
      required
      text=${e?q(BigInt(e)):t}
      choices=${Pn()}
      onPick=${r=>n({category:r,newCategory:""})}
      onType=${o}
    />
    <p class="quiet" role="status">${!e&&t.trim()&&"A new category."}</p>
  </div>`}function la({onClose:e}){let[t,n]=Q("");return l`<${ke} title="Categories" isForm onClose=${e}>
    <form class="fields inline" onSubmit=${async r=>{r.preventDefault(),await Ys(t)&&n("")}}>
      <label>
        New category
        <input dir="auto" required maxlength=${zt} autofocus value=${t} onInput=${re(n)} />
      </label>
      <button class="primary">Add</button>
      <${Oe} of="name new" field="name" />
    </form>
    <ul class="categories">
      ${G.value.map(r=>l`<${Pl} key=${r.categoryId} category=${r} />`)}
    </ul>
    ${G.value.length>0&&l`<p class="quiet">A category that has no animals can be removed.</p>`}
  <//>`}function Pl({category:e}){let t=bt(e);return l`<li><form onSubmit=${async o=>{o.preventDefault();let r=o.currentTarget,s=String(new FormData(r).get("name"));(s===(e.name??"")||await Zs(e,s))&&r.reset()}}>
    <label><span class="hidden">Name of ${e.label}</span>
      <input
        name="name"
        dir="auto"
        required
        maxlength=${zt}
        placeholder=${e.label}
        defaultValue=${e.name??""}
      />
    </label>
    <button>Rename<span class="hidden"> ${e.label}</span></button>
    <${Oe} of="name ${e.categoryId}" field="name" />
    <span class="quiet">${fe(t)}</span>
    ${t===0&&l`<button type="button" class="plain" onClick=${()=>Xs(e)}>
        Remove<span class="hidden"> ${e.label}</span>
      </button>`}
  </form></li>`}function da({onClose:e}){let t=j(null),[n]=G.value.length===1?G.value:[],r={name:"",category:String(h.value.category??n?.categoryId??""),...ge.value},s=i=>{ge.value={name:"",...ge.value,...i,attempt:void 0}},a=async i=>{i.preventDefault();let d=r.attempt??It(),u=ge.value={...r,attempt:d};await na(u,d)&&(ge.value===u&&(ge.value={name:"",category:String(V.value[0]?.categoryId??"")}),t.current?.focus())};return Y(()=>()=>{ge.value?.name===""&&(ge.value=null)},[]),l`<${ke} title="Add an animal" isForm onClose=${e}>
    <form class="fields" onSubmit=${a}>
      <label>
        Name
        <input
          ref=${t}
          dir="auto"
          required
          maxlength=${zt}
          autocomplete="off"
          autofocus
          value=${r.name}
          aria-describedby="name-fault"
          onInput=${re(i=>s({name:i}))}
        />
      </label>
      <${Oe} of="add" field="name" />
      <${mr} category=${r.category} newCategory=${r.newCategory} put=${s} />
      <${Oe} of="add" field="categoryId" />
      <div class="actions"><button class="primary" disabled=${de.value.has("add")}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`}var Ol=()=>{O.value=null};function kl(){let e=O.value;e&&!e.newCategory&&!e.theirs&&Object.keys(Qt(e)).length===0&&(O.value=null)}var ca=({draft:e,isHeld:t})=>e.theirs?l`<${Nl} draft=${e} theirs=${e.theirs} />`:l`<${Tl} draft=${e} isHeld=${t} />`,Cl=({before:e})=>un.filter(t=>t!=="sold"||e.status===t);function Tl({draft:e,isHeld:t}){let n=j(null);Y(()=>(n.current?.focus(),kl),[]);let o=s=>{O.value={...O.value??e,...s}};return l`<form class="fields" onSubmit=${s=>{s.preventDefault(),ur()}}>
    <label>
      Name
      <input
        ref=${n}
        dir="auto"
        required
        maxlength=${zt}
        value=${e.name}
        aria-describedby="name-fault"
        onInput=${re(s=>o({name:s}))}
      />
    </label>
    <${Oe} of="save" field="name" />
    <${mr} category=${e.category} newCategory=${e.newCategory} put=${o} />
    <${Oe} of="save" field="categoryId" />
    ${t?l`<p class="quiet">
            Whether it is available, pending or sold follows from its order: complete or cancel the order, or take the
            animal back.
          </p>`:l`<label>Status
      <select value=${e.status} onChange=${re(s=>o({status:s}))}>
        ${Cl(e).map(s=>l`<option value=${s}>${s}</option>`)}
      </select>
    </label>`}
    <div class="actions">
      <button class="primary" disabled=${de.value.has("save")}>Save</button>
      <button type="button" onClick=${Ol}>Cancel</button>
    </div>
  </form>`}var El=[{label:"Name",textOf:({name:e})=>e},{label:"Category",textOf:({categoryId:e})=>q(e)},{label:"Status",textOf:({status:e})=>e}];function Nl({draft:e,theirs:t}){let n={...t,...Qt(e)},o=El.filter(({textOf:s})=>[t,n].some(a=>s(a)!==s(e.before))),r=(s,a)=>l`<section>
    <h4>${s}</h4>
    <dl>
      ${o.map(({label:i,textOf:d})=>l`<div class=${d(t)!==d(n)?"changed":""}>
          <dt>${i}</dt><dd dir="auto">${d(a)}</dd>
        </div>`)}
    </dl>
  </section>`;return l`<div class="conflict" role="alert">
    <h3>It changed meanwhile</h3>
    <p>Somebody else saved this animal while you were editing it. Nothing is lost: choose what it should be.</p>
    <div class="versions">${r("Theirs, as it is now",t)}${r("Yours, on top of it",n)}</div>
    <div class="actions">
      <button type="button" class="primary" disabled=${de.value.has("save")} onClick=${aa}>Save yours</button>
      <button type="button" onClick=${sa}>Keep theirs</button>
    </div>
  </div>`}var Ml={"order.placed":"Ordered","order.updated":"Order changed","order.completed":"Sold","order.cancelled":"Order cancelled","order.returned":"Taken back","order.expired":"Reservation ended"};function Il(e,t){return[t?.name!==e.name?`Named ${e.name}`:"",t?.categoryId!==e.categoryId?`Moved to ${q(e.categoryId)}`:"",t?.status!==e.status?`Marked as ${e.status}`:""].filter(Boolean)}function Al(e){let t;return e.flatMap((n,o)=>{let{type:r,data:s}=n;if(r.startsWith("order.")){let{reference:c}=s;return{event:n,text:`${Ml[r]??r}${c?` for ${c}`:""}`}}let[a,i]=[t,s];if(t=i,r!=="pet.updated")return{event:n,text:r==="pet.created"?"Added":"Removed"};let u=[e[o-1],e[o+1]].some(c=>c?.type.startsWith("order.")&&c.at===n.at)?"":Il(i,a).join(", ");return u?{event:n,text:u}:[]})}function ua({events:e}){let t=Al(e).reverse();return t.length>0&&l`<section class="history" aria-labelledby="history-title">
      <h3 id="history-title">History</h3>
      <ol>
        ${t.map(({event:n,text:o})=>l`<li key=${n.id}>
            <span dir="auto">${o}</span>
            <small><${Ce} at=${n.at} />${n.by&&l`, <bdi>${n.by}</bdi>`}</small>
          </li>`)}
      </ol>
    </section>`}var fa=e=>{let t=new Date(e);return new Date(t.getTime()-t.getTimezoneOffset()*6e4).toISOString().slice(0,16)};function pa({pet:e,order:t}){let[n,o]=Q(!1),{id:r,status:s,reference:a="",heldUntil:i}=t,d=s==="placed";return n?l`<form class="fields" onSubmit=${async c=>{c.preventDefault();let p=new FormData(c.currentTarget),[m,f]=[String(p.get("reference")).trim(),String(p.get("until")??"")],v=i?fa(i):"",$={...m!==a&&{reference:m},...d&&f!==v&&{heldUntil:f?new Date(f).toISOString():null}};(Object.keys($).length===0||await fr(e,t,$))&&o(!1)}}>
    <label>
      For whom
      <input
        name="reference"
        dir="auto"
        maxlength="256"
        autofocus
        required=${a!==""}
        defaultValue=${a}
      />
    </label>
    <${Oe} of="hold ${r}" field="reference" />
    ${d&&l`<label>
        Held until
        <input name="until" type="datetime-local" defaultValue=${i?fa(i):""} />
      </label>`}
    <${Oe} of="hold ${r}" field="heldUntil" />
    <div class="actions">
      <button class="primary">Save</button>
      <button type="button" onClick=${()=>o(!1)}>Cancel</button>
    </div>
  </form>`:l`<span class="order-facts">
      ${a&&l`<span>For <bdi>${a}</bdi></span>`}
      ${d&&i&&l`<span>Held until <${Ce} at=${i} /></span>`}
      ${b("orders:write")&&l`<button type="button" class="plain" onClick=${()=>o(!0)}>
          ${a?"Change":"For whom?"}<span class="hidden"> (order ${r})</span>
        </button>`}
    </span>`}function ha(){let{pet:e,orders:t=[],events:n=[],failure:o}=z.value??{},{pet:r}=h.value,s=()=>r!==void 0&&Pe(r);if(!e){let i=ae(o)==="pet_not_found";return l`<${ke} key="animal" title=${i?"No such animal":o?"Not loaded":"Loading…"} onClose=${ut}>
      ${o&&l`<p>${ne(o)}</p>`}
      ${o&&!i&&l`<p><button type="button" onClick=${s}>Try again</button></p>`}
    <//>`}let a=O.value?.before.id===e.id&&b("pets:write")?O.value:void 0;return l`<${ke} key="animal" title=${a?a.before.name:e.name} onClose=${ut}>
    ${a?l`<${ca} draft=${a} isHeld=${Yn.value} />`:l`<${Ll} pet=${e} orders=${t} />`}
    ${b("orders:read")&&l`<${Dl} pet=${e} orders=${t} />`}
    <${ua} events=${n} />
  <//>`}var Rl=({status:e})=>e==="placed";function Ll({pet:e,orders:t}){let n=t.find(Rl),o=t.find(({status:i})=>i==="completed"),r=de.value.size>0,s=b("orders:write"),a=(i,d,u="")=>l`<button type="button" class=${u} aria-disabled=${r} onClick=${()=>r||d()}>${i}</button>`;return l`<div class="facts">
      <${ao} pet=${e} />
      <dl>
        <div><dt>Status</dt><dd><${Sn} status=${e.status} /></dd></div>
        <div><dt>Category</dt><dd dir="auto">${q(e.categoryId)}</dd></div>
        <div><dt>Number</dt><dd class="digits">${e.id}</dd></div>
        <div><dt>Category number</dt><dd class="digits">${e.categoryId}</dd></div>
      </dl>
    </div>
    <div class="actions">
      ${s&&e.status==="available"&&a("Order",()=>Yt(e),"primary deed order")}
      ${s&&n&&a("Complete the order",()=>ot(e,n,"complete"),"primary deed")}
      ${s&&n&&a("Cancel the order",()=>ot(e,n,"cancel"),"deed")}
      ${s&&o&&a("Take back",()=>lo(e,o),"deed")}
      ${b("pets:write")&&a("Edit",()=>ra(e))}
      ${b("pets:write")&&t.length===0&&a("Remove",()=>oa(e))}
    </div>
    ${b("pets:write")&&t.length>0&&l`<p class="quiet">It stays in the books with its orders, and cannot be removed.</p>`}
    ${s&&n&&l`<p class="quiet">Completing the order sells the animal.</p>`}`}var ma={cancelled:"Cancelled",returned:"Taken back",expired:"Ended"},Dl=({pet:e,orders:t})=>l`<section class="timeline" aria-labelledby="orders-title">
  <h3 id="orders-title">Orders</h3>
  ${t.length===0&&l`<p class="quiet">Nobody has ordered it yet.</p>`}
  <ol>
    ${[...t].reverse().map(n=>l`<li key=${n.id} class=${n.status}>
        <strong>Order ${n.id}, ${n.status}</strong>
        <${pa} pet=${e} order=${n} />
        <span>Placed <${Ce} at=${n.createdAt} /></span>
        ${n.completedAt&&l`<span>Completed <${Ce} at=${n.completedAt} /></span>`}
        ${n.status in ma&&l`<span>${ma[n.status]} <${Ce} at=${n.updatedAt} /></span>`}
      </li>`)}
  </ol>
</section>`;async function Xt(e,t,n){if(Ae.value)return;let o=new AbortController,r=()=>o.abort(),s=0,a=i=>{s+=i,Ae.value={title:e,done:s,total:t,stop:r}};R(null),a(0);try{await n(a,o.signal)}catch(i){o.signal.aborted||ue(i)}Ae.value=null}var ya=()=>M.value?.size||ze.value;async function*Fl(e){let t=[...M.value??[]];if(t.length===0)return yield*va(e);let{order:n}=je.value;for(let o=0;o<t.length;o+=N){let r=t.slice(o,o+N);yield(await y().pets.list({limit:N,order:n,id:r},{signal:e}).page()).items}}async function*va(e){let t=new Set,n;do{let o=await $n(n,t,{signal:e},N);yield o.pets,n=o.next}while(n)}var ga=()=>Xt("Selecting",ze.value,async(e,t)=>{for await(let n of va(t))M.value=new Set([...M.value??[],...n.map(({id:o})=>o)]),e(n.length)});async function co(e,t){let n=[];for await(let o of Fl(e))n.push(...o),t?.(o.length);return h.value.sort==="name"?n.sort((o,r)=>Ut.compare(o.name,r.name)):n}var Vl=e=>`"${us(e).replaceAll('"','""')}"`;function Hl(e){let t=G.value.find(({categoryId:n})=>n===e);return t?.name===t?.label?t?.name??String(e):String(e)}var ql=({id:e,name:t,categoryId:n,status:o})=>[String(e),t,Hl(n),o];function hr(e,t){let n=t.map(r=>`${r.map(Vl).join()}\r
`).join(""),o=URL.createObjectURL(new Blob(["\uFEFF",n],{type:"text/csv"}));Object.assign(document.createElement("a"),{href:o,download:e}).click(),setTimeout(()=>URL.revokeObjectURL(o),6e4)}var ba=()=>Xt("Saving",ya(),async(e,t)=>{let n=await co(t,e),o=new Date().toISOString().slice(0,10);hr(`animals-${o}.csv`,[["number","name","category","status"],...n.map(ql)]);let r=M.value?.size?" what is selected, shown here or not":"";R({text:`Saved${r}: ${fe(n.length)}.`})}),uo=()=>Xt("Getting ready to print",ya(),async(e,t)=>{vt.value=await co(t,e)});function _a({pets:e}){return Y(()=>{print(),vt.value=null},[]),l`<table class="printed">
    <caption>${document.title}: ${fe(e.length)}</caption>
    <thead>
      <tr>${["Number","Animal","Category","Status"].map(t=>l`<th scope="col">${t}</th>`)}</tr>
    </thead>
    <tbody>
      ${e.map(({id:t,name:n,categoryId:o,status:r})=>l`<tr key=${t}>
          <td>${t}</td>
          <td dir="auto">${n}</td>
          <td dir="auto">${q(o)}</td>
          <td>${r}</td>
        </tr>`)}
    </tbody>
  </table>`}function wa(){let e=j(null);Kr(()=>{let a=document.activeElement;return e.current?.focus(),()=>a instanceof HTMLElement&&a.focus()},[]);let{title:t,done:n,total:o,stop:r}=Ae.value??{},s=`${S(n??0)}${o===void 0?"":` of ${S(o)}`}`;return l`<div class="progress"><label>${t}: ${s}<progress value=${o&&n} max=${o} /></label>
    <button type="button" ref=${e} onClick=${r}>Stop</button></div>`}var fo=class extends Error{};async function $a({id:e},t){let{orders:n}=y(),[o]=(await n.list({petId:e,status:"placed"}).page()).items;if(!o)throw new fo("Nobody has ordered it.");return await n[t](o.id),async()=>{t==="complete"&&await n.return(o.id),await n.place({petId:e,...o.reference&&{reference:o.reference}})}}async function yr(e,t){let n=await y().pets.update(e.id,t);return()=>y().pets.update(e.id,cr(e,t),{ifMatch:n})}var vr=["orders:read","orders:write"],xa={order:{label:"Order",scopes:vr,done:()=>"Reserved",run:async({id:e})=>{let t=await y().orders.place({petId:e});return()=>y().orders.cancel(t.id)}},complete:{label:"Complete the orders",scopes:vr,done:()=>"Sold",run:e=>$a(e,"complete")},cancel:{label:"Cancel the orders",scopes:vr,done:()=>"Available again",run:e=>$a(e,"cancel")},available:{label:"Mark as available",scopes:["pets:write"],done:()=>"Now available",run:e=>yr(e,{status:"available"})},pending:{label:"Mark as pending",scopes:["pets:write"],done:()=>"Now pending",run:e=>yr(e,{status:"pending"})},move:{label:"Move to a category",scopes:["pets:write"],done:e=>`Moved to ${q(e)}`,run:(e,t)=>yr(e,{categoryId:t})},remove:{label:"Remove for good",scopes:["pets:write"],done:()=>"Removed",run:async({id:e})=>{await y().pets.delete(e)}}},Ul=3,jl=({label:e,done:t,run:n},o)=>Xt(e,M.value?.size,async(r,s)=>{let a=new Set(M.value),i=[],d=[],u,c=await co(s).catch(g=>(u=g,[])),p=new Set(c.map(({id:g})=>g));if(!u)for(let g of a)p.has(g)||a.delete(g);s.aborted&&(u=void 0);let m=a.size,f=async g=>{try{let T=await n(g,o);T&&d.push(T)}catch(T){if(bn(T)||T instanceof fo)i.push({pet:g,why:ne(T)});else return void(u=T)}a.delete(g.id),r(1)},v=c.values(),$=async()=>{for(let g of v){if(s.aborted||u)return;await f(g)}};await Promise.all(Array.from({length:Ul},$));let w=[`${t(o)}: ${fe(m-a.size-i.length)}.`];a.size>0&&w.push(`Not yet: ${S(a.size)}.`),u&&w.push(ne(u)),M.value=new Set([...i.map(({pet:g})=>g.id),...a]);let P=d.length>0?()=>Bl(d):void 0;R({text:w.join(" "),isError:u!==void 0,undo:P}),i.length>0&&(_n.value=i,J.value="refused"),oe()}),Bl=e=>Xt("Undo",e.length,async t=>{let n=0;for(let r of e)await r().catch(()=>n++),t(1);let o=n>0?` Changed meanwhile, and left as they are: ${S(n)}.`:"";R({text:`Undone: ${fe(e.length-n)}.${o}`,isError:n>0}),oe()}),Sa=()=>Object.entries(xa).filter(([,{scopes:e}])=>e.every(b)),Pa=()=>Sa().length>0;function Oa({shown:e}){let[t,n]=Q(""),[o,r]=Q(""),s=xa[t],a=M.value?.size??0,i=`Remove ${fe(a)} for good? Nobody can bring them back.`,d=m=>{m.preventDefault(),a===0?R({text:"Select some animals first."}):s&&!Ae.value&&(t!=="remove"||confirm(i))&&jl(s,BigInt(o||0))},u=a>0&&e.every(m=>M.value?.has(m))&&(a===ze.value||!be.value),c=()=>{u?M.value=new Set:ga()},p=()=>{M.value=null};return l`<form class="bulk" aria-label="Selection" onSubmit=${d}>
    <p role="status">${S(a)} selected</p>
    <button type="button" onClick=${c}>
      ${u?"Select none":`Select all ${ze.value===void 0?"found":S(ze.value)}`}
    </button>
    <label><span class="hidden">What to do with them</span>
        <select required value=${t} onChange=${re(n)}>
          <option value="">Do to all…</option>
          ${Sa().map(([m,{label:f}])=>l`<option value=${m}>${f}</option>`)}
        </select></label>
    ${t==="move"&&l`<${Zt}
        label="To which category"
        placeholder="To which category"
        required
        text=${o&&q(BigInt(o))}
        choices=${Pn()}
        onPick=${r}
      />`}
    <button class="primary">${s?.label.split(" ")[0]??"Do it"}</button>
    <button type="button" class="plain" onClick=${p}>Done</button>
  </form>`}var ka=({onClose:e})=>l`<${ke} title="Not all of them" onClose=${e}>
    <p>${S(_n.value.length)} refused, and still selected:</p>
    <ul class="refused">
      ${_n.value.map(({pet:t,why:n})=>l`<li key=${t.id}><strong dir="auto">${t.name}</strong> ${n}</li>`)}
    </ul>
  <//>`;var Wl=[["/","Search"],["↓","From the search to what was found"],["← ↑ → ↓","Go from animal to animal"],["Enter","Open the animal; in the search, the first"],["o","Order the animal"],["n","Add an animal"],["1 2 3","Animals, orders, the report of a day"],["Ctrl P","Print"],["Ctrl Z","Undo what was just done"],["Esc","Close, or clear the search"],["?","This sheet"]],Ea=({onClose:e})=>l`<${ke} title="Keyboard" onClose=${e}>
  <dl class="shortcuts">
    ${Wl.map(([t,n])=>l`<div><dt><kbd>${t}</kbd></dt><dd>${n}</dd></div>`)}
  </dl>
<//>`;function Kl(e,t,n){let o=d=>e[d]?.closest(".item")?.getBoundingClientRect(),{top:r,left:s}=o(t)??{top:0,left:0},a=t+n;for(;o(a)?.top===r;)a+=n;let i=o(a)?.top;for(;o(a+n)?.top===i&&n*(s-(o(a)?.left??s))>0;)a+=n;return a}var zl={ArrowLeft:-1,ArrowRight:1};function Gl(e){let t=[...document.querySelectorAll(".catalogue .name")],n=document.activeElement?.closest(".item")?.querySelector(".name"),o=n?t.indexOf(n):-1,r=zl[e],s=o<0?0:r?o+r:Kl(t,o,e==="ArrowDown"?1:-1);t[s]?.focus()}var Ca=new Map([["1",()=>F({show:void 0,pet:void 0})],["2",()=>b("orders:read")&&F({show:"orders",pet:void 0})],["3",()=>b("events:read")&&F({show:"report",pet:void 0})]]);function Jl(e){let t=document.querySelector(".catalogue .name"),[n,o,r]=De()?[nt,h.value.find,!1]:[et,h.value.search,ce.value];if(e==="Escape")n.value="",document.querySelector("main")?.focus();else if(e==="ArrowDown")t?.focus();else if(e==="Enter")o&&n.value.trim()===o&&!r&&t?.click();else return!1;return!0}var Ql=e=>e instanceof HTMLSelectElement||e instanceof HTMLInputElement&&e.value!=="";function Yl(e){let{target:t,key:n}=e,o=e.ctrlKey||e.metaKey;if(o&&n==="p"&&b("pets:read")&&h.value.show===void 0&&!document.querySelector("dialog[open]")&&(e.preventDefault(),uo()),o&&n==="z"&&!e.shiftKey&&!Ql(t)&&le.value?.undo&&(e.preventDefault(),le.value.undo()),!ie.value||o||e.altKey||!(t instanceof HTMLElement))return;let r=document.querySelector("dialog[open]");if(n==="o"&&!e.repeat&&!/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)&&(r??t.closest(".item"))?.querySelector(".order")?.click(),r)return;t.id==="search"&&Jl(n)&&e.preventDefault();let s=n==="/"&&t.matches(".messages input:placeholder-shown");if(!(/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)&&!s)){if(n==="/")document.querySelector("#search")?.select();else if(n==="n"&&b("pets:write"))J.value="add";else if(n==="?")J.value="shortcuts";else if(n.startsWith("Arrow"))Gl(n);else if(Ca.has(n))Ca.get(n)?.();else return;e.preventDefault()}}var Ta=()=>[...document.querySelectorAll("main .item")];function Zl(){let e;addEventListener("focusin",({target:r})=>{if(!(r instanceof HTMLElement))return;if(r.closest("dialog, .messages")){e??={element:null,id:void 0,at:-1};return}let s=r.closest(".item");e={element:r,id:s?.dataset.id,at:s?Ta().indexOf(s):-1}}),addEventListener("pointerdown",({target:r})=>{r instanceof Element&&!r.closest("a, button, label, input, select, dialog, [tabindex]")&&(e=void 0)});let t=()=>{if(n=!1,!e||document.activeElement!==document.body||document.querySelector("dialog[open]"))return;let{element:r,id:s,at:a}=e,i=Ta(),d=i.find(({dataset:c})=>s&&c.id===s)??i[Math.min(a,i.length-1)],u=r?.isConnected?r:d?.querySelector(".name")??document.querySelector("main [autofocus]")??document.querySelector("main");u instanceof HTMLElement&&u.focus({preventScroll:!0})},n=!1,o=()=>{n||setTimeout(t),n=!0};new MutationObserver(o).observe(document.body,{childList:!0,subtree:!0})}function Na(){Zl(),addEventListener("keydown",Yl),ps()}function Ma(e,t,n){let o=_(ye?.getItem(e)===n?n:t);return E(()=>{o.value===t?ye?.removeItem(e):ye?.setItem(e,o.value)}),o}var en=Ma("petstore.view","table","cards"),On=Ma("petstore.figures","folded","open");var kn=48,Cn=10,Xl=new Intl.DateTimeFormat(void 0,{day:"numeric",month:"short",timeZone:"UTC"}),tn=({day:e})=>Xl.format(new Date(e)),po=(e,t)=>e.reduce((n,o)=>n+o[t],0),gr=(...e)=>{let t=po(e,"returned");return t>0?`, ${S(t)} returned`:""};function Ia(){let e=On.value==="open",t=()=>{On.value=e?"folded":"open"},n=tt.value??[],o=tt.value&&`${S(po(n,"added"))} added, ${S(po(n,"sold"))} sold`;return l`<button type="button" class="plain figures" aria-expanded=${e} onClick=${t}>
    <span class="wide">30 days: ${o??"–"}${gr(...n)}</span><span class="narrow">30 days</span>
  </button>`}function ed(e){let t=({added:r,sold:s})=>Math.max(r,s),[n,o]=e.toSorted((r,s)=>t(s)-t(r));return!n||!o||t(o)===0||t(n)<5*t(o)?{most:Math.max(1,n?t(n):0),beyond:void 0}:{most:1.25*t(o),beyond:n}}function Aa(){let[e,t]=Q(null),n=tt.value??[],o=n.length-1,r=n[e??o],s=e!==null&&r?[r]:n,a=c=>tt.value?S(po(s,c)):"–",{most:i,beyond:d}=ed(n);return l`<figure class="chart">
    <div class="plot" onPointerMove=${({clientX:c,currentTarget:p})=>{let{left:m,width:f}=p.getBoundingClientRect();t(Math.max(0,Math.min(o,Math.floor((c-m)/f*n.length))))}} onPointerLeave=${()=>t(null)}>
      <${td} days=${n} at=${e} most=${i} />
      ${r&&l`<input
          type="range"
          aria-label="Day"
          aria-valuetext="${tn(r)}: ${r.added} added, ${r.sold} sold${gr(r)}"
          min="0"
          max=${o}
          value=${e??o}
          onInput=${re(c=>t(Number(c)))}
          onFocus=${()=>t(e??o)}
          onBlur=${()=>t(null)}
        />`}
    </div>
    <p class="dates" aria-hidden="true">
      <span>${n[0]&&tn(n[0])}</span>
      <span>${n[o]&&tn(n[o])}</span>
    </p>
    <figcaption>
      <strong>${e!==null&&r?tn(r):`In ${n.length||30} days`}</strong>${" "}
      <i class="added" />${a("added")} added <i />${a("sold")} sold${gr(...s)}
      ${d&&e===null&&l`<span class="beyond">
          ${tn(d)} is beyond the scale: ${S(d.added)} added, ${S(d.sold)} sold
        </span>`}
    </figcaption>
    <div class="hidden"><${nd} days=${n} /></div>
  </figure>`}function td({days:e,at:t,most:n}){let o=(r,s,a)=>{let i=r>0?Math.min(kn,Math.max(2,r/n*kn)):0;return l`<rect class=${a} x=${s} y=${kn-i} width="4" height=${i} rx="1" />`};return l`<svg viewBox="0 0 ${30*Cn} ${kn}" preserveAspectRatio="none" aria-hidden="true">
    ${t!==null&&l`<rect class="day" x=${t*Cn-.75} width=${Cn} height=${kn} rx="1" />`}
    ${e.map(({day:r,added:s,sold:a},i)=>l`<g key=${r}>
        ${o(s,i*Cn,"added")}
        ${o(a,i*Cn+4.5,"bar")}
      </g>`)}
  </svg>`}var nd=({days:e})=>l`<table>
  <caption>Animals added, sold and returned on each of the last 30 days</caption>
  <thead>
    <tr>
      <th scope="col">Day</th>
      <th scope="col">Added</th>
      <th scope="col">Sold</th>
      <th scope="col">Returned</th>
    </tr>
  </thead>
  <tbody>
    ${e.map(t=>l`<tr key=${t.day}>
        <th scope="row">${tn(t)}</th>
        <td>${t.added}</td>
        <td>${t.sold}</td>
        <td>${t.returned}</td>
      </tr>`)}
  </tbody>
</table>`;var od=x(()=>{let e=Ue({pet:void 0});return`${e}${e.includes("?")?"&":"?"}pet=`});function rd(e){let t=e.length>24?e.indexOf(" ",e.length-16):-1;return Math.max(0,t)}function Ra({id:e,name:t}){let n=rd(t);return l`<a class="name" dir="auto" href=${od.value+e}>${n?l`<span>${t.slice(0,n)}</span><span class="tail">${t.slice(n)}</span>`:l`<span>${t}</span>`}</a>`}var La=({status:e,name:t})=>e==="available"&&b("orders:write")&&l`<button type="button" class="order deed">Order<span class="hidden"> <bdi>${t}</bdi></span></button>`,Da=({name:e},t)=>l`<label class="pick">
    <input type="checkbox" checked=${t} />
    <span class="hidden">Select <bdi>${e}</bdi></span>
  </label>`,sd=(e,t)=>l`<div class="card item" role="listitem" key=${e.id} data-id=${e.id}>
  ${t&&Da(e,t.has(String(e.id)))}${ao({pet:e})}
  <div class="what">${Ra(e)}
    <span class="category" dir="auto">${q(e.categoryId)}</span></div>
  ${Sn(e)}<span class="id">${e.id}</span>${La(e)}
</div>`,ad=(e,t)=>l`<tr class="row item" role="row" key=${e.id} data-id=${e.id}>
  ${t&&l`<td role="cell">${Da(e,t.has(String(e.id)))}</td>`}
  <td role="cell" class="id">${e.id}</td>
  <td role="cell">${Ra(e)}</td>
  <td role="cell" class="category" dir="auto">${q(e.categoryId)}</td>
  <td role="cell">${Sn(e)}</td>
  <td role="cell" class="do">${La(e)}</td>
</tr>`;function Fa({pets:e,isTable:t}){let n=rs(()=>M.value===null?void 0:e.flatMap(({id:d})=>M.value?.has(d)?d:[]).join()).value,o=n===void 0?void 0:new Set(n.split(",")),r=d=>{let u=d instanceof Element&&d.closest(".item")?.dataset.id;return e.find(c=>String(c.id)===u)},s=({target:d})=>{let u=r(d)?.id;if(u===void 0||!M.value||!(d instanceof HTMLInputElement))return;let c=[...M.value].filter(p=>p!==u);M.value=new Set(d.checked?[...c,u]:c)},a=d=>{let{target:u}=d,c=r(u);!c||!(u instanceof HTMLElement)||(u.closest(".order")&&Yt(c),!(!u.closest(".name")||d.metaKey||d.ctrlKey||d.shiftKey)&&(d.preventDefault(),F({pet:c.id})))},i={"--count":e.length};return t?l`<tbody class="chunk" role="rowgroup" style=${i} onClick=${a} onChange=${s}>
        ${e.map(d=>ad(d,o))}
      </tbody>`:l`<div class="cards chunk" style=${i} onClick=${a} onChange=${s}>
        ${e.map(d=>sd(d,o))}
      </div>`}var id=x(()=>{let e=new Set(V.value.map(({id:s})=>s)),t=s=>a=>a.some(s)?a.filter(i=>!s(i)):a,n=({id:s})=>Xe.value.has(s),o=({id:s})=>e.has(s),r=[V.value,...I.value.map(({pets:s})=>s).map(t(o))].map(t(n));return h.value.sort!=="name"?r:[r.flat().sort((s,a)=>Ut.compare(s.name,a.name))]});function Va(e,t,n){let{sort:o}=h.value,r=t.includes(o),s=t[(t.indexOf(o)+1)%t.length];return l`<th role="columnheader" scope="col" aria-sort=${r?o===void 0?"descending":"ascending":void 0}>
    <button type="button" class="sort" onClick=${()=>F({sort:s})}>
      ${e}<span aria-hidden="true">${r&&n}</span>
    </button>
  </th>`}function ld({lists:e}){let t=en.value==="table",n=e.map((r,s)=>r.length>0&&l`<${Fa} key=${s} pets=${r} isTable=${t} />`),o=h.value.sort===void 0?" ↓":" ↑";return t?l`<table role="table"><thead role="rowgroup"><tr role="row">
        ${M.value&&l`<td role="cell"></td>`}
        ${Va("Number",[void 0,"oldest"],o)}${Va("Animal",["name"],o)}
        ${["Category","Status"].map(so)}
        <td role="cell" class="do"></td>
      </tr></thead>${n}</table>`:l`<div role="list">${n}</div>`}function Ha(){let e=id.value,t=e.flat().map(({id:o})=>o),n=M.value!==null;return l`<section
    class="catalogue ${n?"selecting":""}"
    aria-label="Animals"
    aria-busy=${ce.value}
  >
    <div class="found">
      <p role="status">${dd(t.length)}</p>
      ${cd()&&l`<button type="button" class="plain" onClick=${qa}>Clear</button>`}
      <${ud} /><${Gt} /><${Ia} />
    </div>
    ${On.value==="open"&&l`<${Aa} />`}
    ${Ae.value&&l`<${wa} />`}
    ${t.length===0&&!ce.value&&!Se.value&&!be.value&&l`<${fd} />`}
    ${t.length===0&&ce.value&&l`<ul class=${en.value} aria-hidden="true">
        ${Array.from({length:8},()=>l`<li class="card blank" />`)}
      </ul>`}
    ${n&&l`<${Oa} shown=${t} />`}
    ${t.length>0&&l`<${ld} lists=${e} />`}
    ${Se.value&&l`<${pd} />`}
    ${be.value&&!Se.value&&l`<${_r} at=${I.value.length} />`}
    ${vt.value&&l`<${_a} pets=${vt.value} />`}
  </section>`}function dd(e){let{search:t,sort:n}=h.value,o=ze.value;if(Se.value&&e===0)return X.value?"":"Offline";if(ce.value&&e===0)return"Loading…";if(!be.value)return e===0&&!t?"":`${fe(e)}${t?" found":""}`;let r=o===void 0?`${fe(e)} shown, more to come`:`${S(e)} of ${fe(o)}`;return n==="name"?`${r}, by name among those`:r}var br={status:void 0,category:void 0,search:void 0},qa=()=>F(br),cd=()=>Object.keys(br).some(e=>h.value[e]!==void 0);function ud(){let e=xe.value.filter(({id:n})=>V.value.every(o=>o.id!==n)),t=()=>{V.value=[...e,...V.value],xe.value=[]};return e.length>0&&l`<button type="button" onClick=${t}>Show ${S(e.length)} new</button>`}function fd(){let{status:e,category:t,search:n}=h.value,o=e!==void 0||t!==void 0;return!o&&!n?l`<div class="notice">
      <h2>No animals yet</h2>
      ${b("pets:write")&&l`<p>The first one is a name and a category away.</p>
          <p>
            <button type="button" class="primary" onClick=${()=>J.value="add"}>Add an animal</button>
          </p>`}
    </div>`:l`<div class="notice">
    <h2>Nothing matches</h2>
    ${n&&l`<p>A search finds how words begin, in names of animals and of categories, or a number.</p>`}
    <p class="actions">
      ${n&&o&&l`<button type="button" onClick=${()=>F({...br,search:n})}>Search all animals</button>`}
      <button type="button" onClick=${qa}>Show all animals</button>
    </p>
  </div>`}var pd=()=>l`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${ne(Se.value)}</p>
  <p><button type="button" onClick=${()=>I.value.length>0?no():to()}>Try again</button></p>
</div>`;function _r({at:e,onMore:t=no}){let n=j(null);return Y(()=>{if(!n.current)return;let o=new IntersectionObserver(([r])=>r?.isIntersecting&&t(),{rootMargin:"600px"});return o.observe(n.current),()=>o.disconnect()},[e]),l`<p class="more" ref=${n}><button type="button" onClick=${t}>Show more</button></p>`}var Ua=300,ja=6e4;function md(e){let t=new Set,n=!1;async function o(){if(!n){n=!0;try{for(let r=Ua;;){await mn(r,e);let s=[...t];t.clear();try{if(await(s.length>N?oe():Promise.all([_e(),hd(s),Ds(s),Vs()])),t.size===0)break;r=Ua}catch{for(let a of s)t.add(a);r=ja}}}catch{}n=!1}}return r=>{r!==void 0&&t.add(r),o()}}async function hd(e){let t=new Map([...I.value.flatMap(({pets:a})=>a),...V.value].map(a=>[a.id,a]));await yd(e.filter(a=>!t.has(a)));let n=e.filter(a=>t.has(a)||z.value?.pet?.id===a);if(n.length===0)return;let{items:o}=await y().pets.list({limit:N,id:n}).page(),r=new Map(o.map(a=>[a.id,a])),s=z.value?.pet;for(let a of n){let i=t.get(a);if(!i)continue;let d=r.get(a)??{...i,status:"removed"};Ht(d,i)||Le(d)}s&&n.includes(s.id)&&await vd(s,r.get(s.id))}async function yd(e){let t=_t.value,n=h.value.sort!=="oldest",o=()=>n||!be.value,r=[...xe.value,...(n?I.value[0]:I.value.at(-1))?.pets??[]],s=e.filter(u=>r.every(c=>c.id<u));if(s.length===0||!o())return;let a=await Promise.all(t.map(u=>y().pets.list({...u,limit:N,id:s}).page())),i=[...new Map(a.flatMap(u=>u.items.map(c=>[c.id,c]))).values()],d=I.value.at(-1);i.length===0||_t.value!==t||!o()||!d||(n?xe.value=[...i,...xe.value]:I.value=[...I.value.slice(0,-1),{...d,pets:[...d.pets,...i]}])}async function vd(e,t){let n=O.value?.before.id===e.id;(t||!n)&&await Pe(e.id),!(Ht(t,e)||de.value.size>0||le.value?.undo)&&R({text:`Somebody else has ${t?"changed":"removed"} this animal.`})}async function gd(e){let t=md(e);for(;!e.aborted;)try{let{next:n}=await y().events.list({limit:1,from:"now"},{signal:e}).page();await oe(),Vt.value=!0;for await(let{type:o,data:r}of y().events.follow({cursor:n},{signal:e}))t(o.startsWith("category.")?void 0:"petId"in r?r.petId:r.id)}catch(n){Vt.value=!1,ae(n)!=="events_expired"&&await mn(ja,e).catch(()=>{})}}function Ba(){let e=_(document.visibilityState==="visible");document.addEventListener("visibilitychange",()=>{e.value=document.visibilityState==="visible"});let t=x(()=>b("pets:read")&&b("events:read")&&e.value&&X.value);E(()=>{if(!t.value)return;let n=new AbortController;return te(()=>gd(n.signal)),()=>{Vt.value=!1,n.abort()}})}var Wa=e=>t=>{t.metaKey||t.ctrlKey||t.shiftKey||(t.preventDefault(),e())};function Ka(){let e=(t,n)=>{let o={show:t,pet:void 0};return l`<a
      href=${Ue(o)}
      aria-current=${h.value.show===t?"page":void 0}
      onClick=${Wa(()=>F(o))}
    >
      ${n}
    </a>`};return l`<nav class="tabs" aria-label="Show">
    ${e(void 0,"Animals")}${b("orders:read")&&e("orders","Orders")}
    ${b("orders:read")&&b("events:read")&&e("report","Report")}
  </nav>`}var bd={placed:"Open",completed:"Completed",returned:"Returned",cancelled:"Cancelled",expired:"Expired"};function _d(){let{tab:e="placed",find:t}=h.value,{items:n=[],next:o}=C.value??{},r=i=>i==="placed"&&e===i&&!t&&C.value&&!o?S(n.filter(({order:u})=>u.status===i).length):wn.value.get(i),s=i=>l`<button
      type="button"
      aria-pressed=${!t&&e===i}
      onClick=${()=>F({tab:i==="placed"?void 0:i,find:void 0})}
    >
      ${bd[i]} <span class="count">${r(i)}</span>
    </button>`,a=i=>{nt.value=i};return l`<div class="toolbar">
    <label class="search"><span class="hidden">Search all orders</span>
      <input
        id="search"
        type="search"
        placeholder="Search by number, reference or animal"
        aria-keyshortcuts="/"
        maxlength=${Tt}
        autocomplete="off"
        value=${nt.value}
        onInput=${re(a)}
      />
    </label>
    <div class="statuses" role="group" aria-label="Status">${Et.map(s)}</div>
  </div>`}var wd=["Number","Animal","For","Status","Placed","Ends or ended"];function za(){let{items:e=[],next:t,failure:n}=C.value??{},{find:o}=h.value,r=o?" found":t?" shown, more to come":"",s=`${S(e.length)} order${e.length===1?"":"s"}${r}`;return l`<${_d} /><section class="catalogue orders" aria-label="Orders" aria-busy=${!C.value}>
    <div class="found">
      <p role="status">${C.value?e.length>0&&s:"Loading…"}</p><${Gt} />
    </div>
    ${e.length>0&&l`<div><table role="table">
        <thead role="rowgroup"><tr role="row">
          ${wd.map(so)}
          <td role="cell"></td>
        </tr></thead>
        <tbody role="rowgroup">${e.map(a=>l`<${Cd} key=${a.order.id} ...${a} />`)}</tbody>
      </table></div>`}
    ${n?l`<div class="notice" role="alert">
            <h2>The orders could not be loaded</h2>
            <p>${ne(n)}</p>
            <p>
              <button type="button" onClick=${e.length>0?ar:xn}>Try again</button>
            </p>
          </div>`:C.value&&e.length===0&&l`<${$d} />`}
    ${t&&!n&&l`<${_r} at=${e.length} onMore=${ar} />`}
  </section>`}function $d(){let{find:e,tab:t="placed"}=h.value;return e?l`<div class="notice">
      <h2>Nothing matches</h2>
      <p>A search finds the number of an order, a whole reference, any part of the reference of an open order, and
        animals by name or number.</p>
    </div>`:l`<div class="notice">
    <h2>No orders here</h2>
    <p>${t==="placed"?"No animal is reserved. An order is placed on an animal: press Order there.":`No order is ${t}.`}</p>
  </div>`}var xd=4*36e5,Sd=new Intl.RelativeTimeFormat("en",{numeric:"auto"}),Pd=[["day",864e5],["hour",36e5],["minute",6e4]];function Od(e){let t=Date.parse(e)-Date.now(),[n,o]=Pd.find(([,r])=>Math.abs(t)>=r)??["minute",6e4];return Sd.format(Math.trunc(t/o),n)}function kd({order:e}){let{status:t,heldUntil:n,completedAt:o,updatedAt:r}=e;if(t!=="placed")return l`<${Ce} at=${t==="completed"?o??r:r} />`;if(!n)return l`<span class="quiet">Held for good</span>`;let s=Date.parse(n)-Date.now()<xd;return l`<span class=${s?"soon":""}>Ends ${Od(n)}</span>`}function Cd({order:e,pet:t}){let{id:n,status:o,createdAt:r,reference:s}=e,a={pet:t.id},i=(u,c)=>l`<button type="button" class="deed" aria-label="${c} order ${n}, ${t.name}" onClick=${u}>
      ${c}
    </button>`,d=b("orders:write");return l`<tr class="row item" role="row" data-id=${n}>
    <td role="cell" class="id">${n}</td>
    <td role="cell"><a class="name" href=${Ue(a)} onClick=${Wa(()=>F(a))}><bdi>${t.name}</bdi></a></td>
    <td role="cell" class="for" dir="auto">${s}</td>
    <td role="cell"><span class="status ${o}">${o}</span></td>
    <td role="cell" class="quiet"><span class="on">Placed </span><${Ce} at=${r} /></td>
    <td role="cell" class="ends"><${kd} order=${e} /></td>
    <td role="cell" class="do">
      ${d&&o==="placed"&&i(()=>ot(t,e,"complete"),"Complete")}
      ${d&&o==="placed"&&i(()=>ot(t,e,"cancel"),"Cancel")}
      ${d&&o==="completed"&&i(()=>lo(t,e),"Take back")}
    </td>
  </tr>`}var Ja="(no key)",wr=["Time","Order","What","Number","Animal","Category","For","By"],Td=new Intl.DateTimeFormat("en-GB",{timeStyle:"short"}),Ga=({at:e,what:t,order:n,pet:o,by:r=Ja})=>[Td.format(new Date(e)),String(n.id),t,String(n.petId),o?.name??"",o?q(o.categoryId):"",n.reference??"",r],mo=(e,t)=>e.filter(n=>n.what===t).length;function Ed({rows:e}){let t=[...Map.groupBy(e,({by:n=Ja})=>n)];return l`<ul class="people">
    ${t.map(([n,o])=>l`<li key=${n}>
        <strong dir="auto">${n}</strong> ${S(mo(o,"sold"))} sold,
        ${" "}${S(mo(o,"returned"))} returned
      </li>`)}
  </ul>`}function Qa(){let e=h.value.day??jt(),{rows:t=[],failure:n}=Fe.value??{},o=()=>hr(`sales-${e}.csv`,[wr,...t.map(Ga)]),r=`${S(mo(t,"sold"))} sold, ${S(mo(t,"returned"))} returned`;return l`<div class="toolbar">
      <label class="date"><span class="hidden">Day</span>
        <input
          type="date"
          required
          max=${jt()}
          value=${e}
          onInput=${re(s=>s&&F({day:s===jt()?void 0:s},!0))}
        />
      </label>
      <button type="button" onClick=${()=>print()}>Print</button>
      <button type="button" onClick=${o}>Save as CSV</button>
    </div>
    <section class="catalogue report" aria-label="Report" aria-busy=${!Fe.value}>
      <div class="found"><p role="status">${Fe.value?!n&&r:"Loading…"}</p><${Gt} /></div>
      ${n&&l`<div class="notice" role="alert">
          <h2>The report could not be loaded</h2>
          <p>${ne(n)}</p>
          <p><button type="button" onClick=${Wt}>Try again</button></p>
        </div>`}
      ${Fe.value&&!n&&t.length===0&&l`<div class="notice"><h2>Nothing was sold or returned</h2><p>Events are kept for some weeks.</p></div>`}
      ${t.length>0&&l`<h2 class="only-print">Sales of ${e}: ${r}</h2><${Ed} rows=${t} />
          <table class="sales">
            <thead><tr>${wr.map(s=>l`<th scope="col">${s}</th>`)}</tr></thead>
            <tbody>
              ${t.map((s,a)=>l`<tr key=${a}>
                ${Ga(s).map((i,d)=>l`<td dir="auto" data-column=${wr[d]}>${i}</td>`)}
              </tr>`)}
            </tbody>
          </table>`}
    </section>`}var Ya=()=>A.value===null?l`<${Nd} />`:l`<${Md} apiKey=${A.value} />`;function Nd(){let[e,t]=Q(!1);return l`<main class="signin">
    <form class="fields" onSubmit=${async o=>{o.preventDefault(),t(!0);let r=new FormData(o.currentTarget);await Dt(String(r.get("key")).trim(),r.has("remember")),t(!1)}}>
      <img src="shop/favicon.svg" alt="" width="64" height="64" />
      <h1>Pet Store</h1>
      <p>Sign in with your API key. Whoever runs this store gives out the keys, one to each person.</p>
      <p role="alert" class="refusal">${Ie.value}</p>
      <label>
        API key
        <input
          name="key"
          type="password"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck=${!1}
          maxlength="200"
          autofocus
        />
      </label>
      <label class="remember">
        <input name="remember" type="checkbox" aria-describedby="remember-note" />
        Remember it on this device
      </label>
      <p id="remember-note" class="quiet">
        Then whoever uses this browser is signed in, until somebody signs out. Otherwise it is forgotten when the last
        tab is closed.
      </p>
      <button class="primary" disabled=${e}>Sign in</button>
      <${ro} />
    </form>
    <${Jt} />
  </main>`}var Md=({apiKey:e})=>l`<main class="signin">
  <div class="notice" role="status"><p>${Ie.value||"Signing in…"}</p>${Ie.value&&l`<p class="actions">
      <button type="button" class="primary" onClick=${()=>Dt(e)}>Try again</button>
      <button type="button" onClick=${oo}>Use another key</button>
    </p>`}</div>
  <${Jt} />
</main>`;var Za=Rr(()=>{});function Xa({label:e,children:t}){let[n,o]=Q(!1),r=j(null),s=j(null),a=()=>{s.current?.focus(),o(!1)};return Y(()=>{if(!n)return;let d=({target:c})=>r.current?.contains(c)||o(!1),u=["pointerdown","focusin"];for(let c of u)addEventListener(c,d);return()=>{for(let c of u)removeEventListener(c,d)}},[n]),l`<div class="menu" ref=${r} onKeyDown=${d=>{let u=[...r.current?.querySelectorAll("button")??[]],c={ArrowDown:1,ArrowUp:-1}[d.key];if(c&&n){let p=u.indexOf(document.activeElement);u[(p+c+u.length)%u.length]?.focus()}else if(d.key==="Escape"&&n)a();else return;d.preventDefault(),d.stopPropagation()}}>
    <button
      type="button"
      ref=${s}
      aria-expanded=${n}
      onClick=${()=>o(!n)}
    >
      <span aria-hidden="true">⋯</span><span class="hidden">${e}</span>
    </button>
    ${n&&l`<${Za.Provider} value=${a}><div class="items">${t}</div><//>`}
  </div>`}function rt({isOn:e,onPick:t,children:n}){let o=zr(Za);return l`<button type="button" class="plain" aria-pressed=${e} onClick=${()=>{o(),t()}}>${n}</button>`}var $r=e=>()=>{J.value=e};function ei(){let{category:e}=h.value,t=o=>{et.value=o},n={value:"",text:"All categories",note:Ze.value?S(bt(Ze.value)):void 0};return l`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Search by name, category or number"
        aria-keyshortcuts="/"
        maxlength=${Tt}
        autocomplete="off"
        value=${et.value}
        onInput=${re(t)}
      />
    </label>
    <${Id} />
    <${Zt}
      label="Category"
      text=${e===void 0?n.text:q(e)}
      choices=${[n,...Pn()]}
      onPick=${o=>F({category:o?BigInt(o):void 0})}
    />
    ${b("pets:write")&&l`<button type="button" class="primary add" onClick=${$r("add")}>
        <span aria-hidden="true">+</span> Add
      </button>`}
    <${Rd} />
  </div>`}function Id(){let{status:e}=h.value,t=(n,o,r)=>l`<button type="button" aria-pressed=${e===n} onClick=${()=>F({status:n})}>
      ${o}${r!==void 0&&l` <span class="count">${S(r)}</span>`}
    </button>`;return l`<div class="statuses" role="group" aria-label="Status">
    ${t(void 0,"All",yt.value&&bt(yt.value))}
    ${un.map(n=>t(n,n[0]?.toUpperCase()+n.slice(1),yt.value?.[n]))}
  </div>`}var Ad=()=>{M.value=M.value?null:new Set};function Rd(){let{sort:e}=h.value,t=(o,r)=>l`<${rt} isOn=${e===o} onPick=${()=>F({sort:o})}>${r}<//>`,n=(o,r)=>l`<${rt} isOn=${en.value===o} onPick=${()=>en.value=o}>${r}<//>`;return l`<${Xa} label="Menu">
    ${Pa()&&l`<${rt} isOn=${M.value!==null} onPick=${Ad}>Select<//>`}
    <${rt} onPick=${ba}>Save as CSV<//>
    <${rt} onPick=${uo}>Print<//>
    ${b("pets:write")&&l`<${rt} onPick=${$r("categories")}>Categories<//>`}
    <hr />
    ${n("table","Table")}${n("cards","Cards")}
    <hr />
    ${t(void 0,"Newest first")}${t("oldest","Oldest first")}${t("name","By name")}
    <hr />
    <${rt} onPick=${$r("shortcuts")}>Keyboard shortcuts<//>
  <//>`}var Ld={add:da,categories:la,shortcuts:Ea,refused:ka};function Dd(){E(()=>{let e=J.value&&{sheet:J.value};e?.sheet!==history.state?.sheet&&(e?history.pushState(e,""):history.replaceState(null,""))}),addEventListener("popstate",()=>{J.value=history.state?.sheet??null})}function Fd(){return De()?l`<${za} />`:Bt()?l`<${Qa} />`:b("pets:read")?l`<${ei} /><${Ha} />`:l`<div class="notice">
    <h2>This key may not see the animals</h2>
    <p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p>
  </div>`}function Vd(){if(!ie.value)return l`<${Ya} />`;let e=J.value&&(J.value==="shortcuts"||J.value==="refused"||b("pets:write"))&&Ld[J.value],t=e||h.value.pet!==void 0;return l`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      ${b("pets:read")&&b("orders:read")&&l`<${Ka} />`}
      <p class="who">
        <${ro} />
        <span dir="auto">${ie.value.name}</span>
        <button type="button" class="plain" onClick=${oo}>Sign out</button>
      </p>
    </header>
    <main tabindex="-1">${Fd()}</main>
    ${e?l`<${e} onClose=${ut} />`:t&&b("pets:read")&&l`<${ha} />`}
    ${!t&&l`<${Jt} />`}`}E(()=>{let{status:e,category:t,show:n}=h.value,o=t!==void 0&&q(t),r=n?[n==="orders"?"Orders":"Report"]:[o,e];document.title=[z.value?.pet?.name,...r,"Pet Store"].filter(Boolean).join(" · ")});Na();Dd();Ws();Ba();Ar(l`<${Vd} />`,document.getElementById("shop"));
